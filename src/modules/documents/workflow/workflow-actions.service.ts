import { Injectable } from '@nestjs/common';
import { CommonErrors, Members, Store, type Ctx, type Tx } from '../../../kit/index.js';
import { Document } from '../documents/document.entity.js';
import { DocumentErrors } from '../documents.errors.js';
import { TypeVersions } from '../types/type-versions.js';
import { Decisions, type DecisionKind } from './decisions.service.js';
import type { Trigger } from './document-states.js';
import { STANDARD_LIFECYCLE, type Lifecycle } from './lifecycle.js';
import { Transitions, TRANSITION_STATES, type TransitionTrigger } from './transitions.service.js';
import type { WorkflowActionDto } from './workflow.dto.js';

const ACTIONS = ['APPROVE', 'REJECT', 'RETURN', 'TRANSITION'];

/** Moves that software may ask for; reopening is left to people on a screen. */
const OPEN: readonly TransitionTrigger[] = ['finalize', 'send', 'revoke', 'recall', 'supersede'];

/** What a key does in the name of people. */
@Injectable()
export class WorkflowActions {
  constructor(
    private readonly store: Store,
    private readonly versions: TypeVersions,
    private readonly members: Members,
    private readonly decisions: Decisions,
    private readonly transitions: Transitions,
  ) {}

  async act(ctx: Ctx, id: string, body: WorkflowActionDto): Promise<Document> {
    const action = body.action.toUpperCase();
    if (!ACTIONS.includes(action)) throw DocumentErrors.invalidAction({ param: 'action', allowed: ACTIONS });
    if (action === 'TRANSITION') return this.store.write(ctx, async (tx) => this.transition(ctx, tx, await tx.target(Document, id), body));
    const { comments = null, approver_email: email = null, lifecycle_action: lifecycleAction = null } = body;
    return this.decisions.decide(ctx, id, { kind: action.toLowerCase() as DecisionKind, approver: { email }, comments, lifecycleAction });
  }

  private async transition(ctx: Ctx, tx: Tx, document: Document, body: WorkflowActionDto): Promise<Document> {
    const { definition } = await this.versions.get(ctx, document.type_id, document.type_version);
    const trigger = triggerOf(definition.lifecycle ?? STANDARD_LIFECYCLE, document, body.lifecycle_action ?? null);
    // a promise of the interface: no call finalizes what people must approve, not even after they did
    if (trigger === 'finalize' && definition.requires_approval) throw DocumentErrors.invalidTransition({ param: 'lifecycle_action', message: 'A document of a type that requires approval is not finalized by a call; people or the type\'s own setting do that.' });
    if (!body.approver_email) throw DocumentErrors.missingApproverEmail({ param: 'approver_email' });
    const actedFor = await this.members.byEmail(ctx, body.approver_email);
    if (!actedFor) throw DocumentErrors.approverNotFound({ param: 'approver_email' });
    const moved = await this.transitions.run(ctx, tx, document, trigger, { lifecycleAction: body.lifecycle_action, actedFor, reason: body.comments, reasonParam: 'comments' });
    if (ctx.scenario === 'approval_action_failed') throw DocumentErrors.approvalActionFailed();
    return moved;
  }
}

function triggerOf({ transitions }: Lifecycle, document: Document, code: string | null): TransitionTrigger {
  const allowed = transitions.filter(({ from, trigger }) => isOpen(trigger) && from.includes(document.lifecycle_stage)).map((transition) => transition.code);
  if (code === null) throw CommonErrors.missingFields({ param: 'lifecycle_action', message: 'lifecycle_action is required with TRANSITION: name the transition', allowed });
  const transition = transitions.find((one) => one.code === code);
  if (!transition) throw DocumentErrors.invalidLifecycle({ param: 'lifecycle_action', message: `lifecycle_action ${code} is no transition of the type's lifecycle`, allowed });
  const { trigger } = transition;
  if (!isOpen(trigger)) throw DocumentErrors.invalidAction({ param: 'lifecycle_action', message: `lifecycle_action ${code} is a ${trigger}, which TRANSITION does not make`, allowed });
  return trigger;
}

function isOpen(trigger: Trigger): trigger is TransitionTrigger {
  return trigger in TRANSITION_STATES && OPEN.includes(trigger as TransitionTrigger);
}
