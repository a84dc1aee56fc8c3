import { Injectable } from '@nestjs/common';
import { CommonErrors, invalid, Members, Store, type Ctx, type Member, type Tx } from '../../../../kit/index.js';
import { Document } from '../../model/records/document.entity.js';
import { readSending } from '../../model/types/sending.dto.js';
import { DocumentErrors } from '../../model/core/documents.errors.js';
import { TypeVersions } from '../../model/types/type-versions.js';
import { allowedActions } from '../../model/rules/allowed-actions.js';
import type { DecisionKind } from '../decisions/decision-input.js';
import { Decisions } from '../decisions/decisions.service.js';
import type { Trigger } from '../../model/core/document-states.js';
import { STANDARD_LIFECYCLE, type Lifecycle } from '../../model/core/lifecycle.js';
import { Transitions, TRANSITION_STATES, type TransitionTrigger } from '../transitions/transitions.service.js';
import { WORKFLOW_ACTIONS, type WorkflowActionDto } from './workflow.dto.js';

/** Moves that a key may make; reopening is only for signed-in members. */
const OPEN: readonly TransitionTrigger[] = ['finalize', 'send', 'revoke', 'recall', 'supersede'];

/** Actions of a key on behalf of a member. */
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
    if (!(WORKFLOW_ACTIONS as readonly string[]).includes(action))
      throw DocumentErrors.invalidAction({ param: 'action', allowed: [...WORKFLOW_ACTIONS] });
    if (action === 'TRANSITION') requireNoDecision(body);
    else {
      requireNoReplacement(body);
      requireNoSending(body);
    }
    if (action === 'TRANSITION') return this.store.write(ctx, async (tx) => this.transition(ctx, tx, await tx.target(Document, id), body));
    const email = addressIn(body);
    return this.decisions.decide(ctx, id, {
      kind: action.toLowerCase() as DecisionKind,
      approver: { email },
      comments: body.comments ?? null,
      lifecycleAction: body.lifecycle_action ?? null,
      decisionId: body.decision_id ?? null,
      step: body.step ?? null,
    });
  }

  private async transition(ctx: Ctx, tx: Tx, document: Document, body: WorkflowActionDto): Promise<Document> {
    const { definition } = await this.versions.get(ctx, document.type_id, document.type_version);
    const trigger = triggerOf(
      definition.lifecycle ?? STANDARD_LIFECYCLE,
      allowedActions(ctx, document, definition),
      document,
      body.lifecycle_action ?? null,
    );
    // the interface promises that no key finalizes a document that requires approval, not even after the approval
    if (trigger === 'finalize' && definition.requires_approval)
      throw DocumentErrors.invalidTransition({
        param: 'lifecycle_action',
        message: 'A key cannot finalize a document of a type that requires approval; a member or finalize_on_approval can.',
      });
    if (trigger !== 'supersede') requireNoReplacement(body);
    if (trigger !== 'send') requireNoSending(body);
    const actedFor = await this.managerAt(ctx, addressIn(body));
    const moved = await this.transitions.run(ctx, tx, document, trigger, {
      lifecycleAction: body.lifecycle_action,
      actedFor,
      reason: body.comments,
      reasonParam: 'comments',
      superseded_by_id: body.superseded_by_id,
      sending: readSending(body.sending) ?? undefined,
    });
    if (ctx.scenario === 'approval_action_failed') throw DocumentErrors.approvalActionFailed();
    return moved;
  }

  /** The member must have the permission for what the key does on their behalf. */
  private async managerAt(ctx: Ctx, email: string | null): Promise<Member> {
    if (email === null) throw DocumentErrors.missingApproverEmail({ param: 'approver_email' });
    const member = await this.members.byEmail(ctx, email);
    if (!member) throw DocumentErrors.approverNotFound({ param: 'approver_email' });
    if (!member.permissions.includes('papers.document.manage'))
      throw DocumentErrors.notAnApprover({
        param: 'approver_email',
        message: 'approver_email is a member without the permission papers.document.manage, which this move requires.',
      });
    return member;
  }
}

function requireNoDecision({ decision_id, step }: WorkflowActionDto): void {
  const param = decision_id ? 'decision_id' : step ? 'step' : null;
  if (param !== null)
    throw CommonErrors.validationFailed({ param, message: `${param} is only for APPROVE, REJECT and RETURN, not for TRANSITION` });
}

function requireNoReplacement({ superseded_by_id: id }: WorkflowActionDto): void {
  if (id) throw invalid('superseded_by_id', 'is only for a TRANSITION that supersedes the document');
}

function requireNoSending({ sending }: WorkflowActionDto): void {
  if (Object.keys(sending ?? {}).length > 0) throw invalid('sending', 'is only for a TRANSITION that sends the document');
}

function addressIn({ approver_email }: WorkflowActionDto): string | null {
  return approver_email?.trim() || null;
}

function triggerOf({ transitions }: Lifecycle, actions: readonly Trigger[], document: Document, code: string | null): TransitionTrigger {
  const allowed = transitions
    .filter(({ from, trigger }) => isOpen(trigger) && actions.includes(trigger) && from.includes(document.lifecycle_stage))
    .map((transition) => transition.code);
  if (code === null)
    throw CommonErrors.missingFields({
      param: 'lifecycle_action',
      message: 'lifecycle_action is required for TRANSITION: the code of the transition',
      allowed,
    });
  const transition = transitions.find((one) => one.code === code);
  if (!transition)
    throw DocumentErrors.invalidLifecycle({
      param: 'lifecycle_action',
      message: `lifecycle_action ${code} is not a transition of the type's lifecycle`,
      allowed,
    });
  const { trigger } = transition;
  if (!isOpen(trigger))
    throw DocumentErrors.invalidAction({
      param: 'lifecycle_action',
      message: `lifecycle_action ${code} runs ${trigger}, which TRANSITION cannot`,
      allowed,
    });
  return trigger;
}

function isOpen(trigger: Trigger): trigger is TransitionTrigger {
  return trigger in TRANSITION_STATES && OPEN.includes(trigger as TransitionTrigger);
}
