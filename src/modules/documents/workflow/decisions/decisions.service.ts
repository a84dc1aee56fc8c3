import { Injectable } from '@nestjs/common';
import {
  CommonErrors,
  DomainError,
  Mails,
  Members,
  own,
  sql,
  Store,
  table,
  type Ctx,
  type Member,
  type Tx,
} from '../../../../kit/index.js';
import { DocumentComments } from '../authoring/document-comments.service.js';
import { DocumentLooks } from '../../settings/document-looks.service.js';
import { DocumentViews } from '../../views/document-views.js';
import { Document } from '../../model/records/document.entity.js';
import { DocumentErrors } from '../../model/core/documents.errors.js';
import { Finalization } from '../transitions/finalization.service.js';
import type { TypeDefinition } from '../../model/types/type-definition.js';
import { TypeVersions } from '../../model/types/type-versions.js';
import { ApprovalRequest } from '../../model/records/approval-request.entity.js';
import type { Decision } from '../../model/records/shown-request.js';
import { isSubmitter } from '../../model/rules/allowed-actions.js';
import { mayApprove } from '../../model/rules/approval-panel.js';
import { isSatisfied, nextStep } from '../../model/rules/approval-route.js';
import { decidedForMail } from '../approvals/approval-mails.js';
import { Approvals } from '../approvals/approvals.service.js';
import { Approvers } from '../approvals/approvers.service.js';
import { chosenRequest, pendingIds } from './chosen-request.js';
import { DocumentMoves, requireMove, type MoveBasis, type MoveOptions } from '../moves/document-moves.js';

export type DecisionKind = 'approve' | 'reject' | 'return';

/** A decision as the caller sends it. */
export interface DecisionInput {
  kind: DecisionKind;
  /** The approver: an address, or a member. */
  approver: { email: string | null } | { memberId: string };
  comments: string | null;
  lifecycleAction: string | null;
  /** Which decision is made: its id, or the step by index or name. */
  decisionId: string | null;
  step: string | null;
}

const RESULTS = {
  approve: { decision: 'approved', state: 'approved' },
  reject: { decision: 'rejected', state: 'rejected' },
  return: { decision: 'returned', state: 'returned' },
} as const satisfies Record<DecisionKind, { decision: Decision; state: string }>;

const inCurrentRound = (id: string) =>
  sql`t.round = (SELECT d.approval_round FROM ${table(Document)} d WHERE ${own('d')} AND d.id = ${id})`;

/** Records approvers' decisions and moves the document accordingly. */
@Injectable()
export class Decisions {
  constructor(
    private readonly store: Store,
    private readonly versions: TypeVersions,
    private readonly views: DocumentViews,
    private readonly members: Members,
    private readonly approvers: Approvers,
    private readonly approvals: Approvals,
    private readonly moves: DocumentMoves,
    private readonly finalization: Finalization,
    private readonly comments: DocumentComments,
    private readonly mails: Mails,
    private readonly looks: DocumentLooks,
  ) {}

  /** Checks in the order of the interface: what is decided, state, approver, step, comment, lifecycle. */
  decide(ctx: Ctx, id: string, input: DecisionInput): Promise<Document> {
    return this.store.write(ctx, async (tx) => {
      // sent together: the statements after the first one run once it has locked the document, and see everything committed by then
      const [document, round, named] = await Promise.all([
        tx.target(Document, id),
        tx.list(ApprovalRequest, { document_id: id }, inCurrentRound(id)),
        this.namedApprover(ctx, input),
      ]);
      const { definition } = await this.versions.get(ctx, document.type_id, document.type_version);
      const chosen = await chosenRequest(tx, document, definition, round, input);
      requireMove(document, definition, input.kind, RESULTS[input.kind].state);
      const approver = this.approverOf(ctx, document, definition, input, named);
      const requests = round.filter(({ step_index }) => step_index === document.approval_step);
      const request = await this.requestFor(ctx, chosen ? [chosen] : requests, requests, approver, document, definition);
      const isNamed = chosen !== null || input.step !== null;
      if (!isNamed && (await this.approvers.isAskedElsewhere(ctx, approver, document, definition, round)))
        throw CommonErrors.validationFailed({
          param: 'decision_id',
          message: `decision_id or step is required: ${approver.email} is asked on more than one step of this approval.`,
          allowed: pendingIds(requests, approver.id),
        });
      if (definition.require_decision_comment && !input.comments)
        throw CommonErrors.missingFields({
          param: 'comments',
          message: 'comments is required: the type requires a comment with each decision',
        });
      const decided = await this.settle(ctx, tx, { document, definition, round, requests, request, approver, input });
      if (ctx.scenario === 'approval_action_failed') throw DocumentErrors.approvalActionFailed();
      if (input.comments) await this.comments.add(ctx, tx, decided, 'decision', input.comments, approver);
      return decided;
    });
  }

  private async namedApprover(ctx: Ctx, { approver: given }: DecisionInput): Promise<Member | null> {
    if ('memberId' in given) return (await this.members.byIds(ctx, [given.memberId]))[0];
    return given.email ? this.members.byEmail(ctx, given.email) : null;
  }

  /** The member who decides. Submitters decide at most in their own name, where the type allows that. */
  private approverOf(
    ctx: Ctx,
    document: Document,
    { allow_self_approval }: TypeDefinition,
    { approver: given }: DecisionInput,
    approver: Member | null,
  ): Member {
    if ('memberId' in given) return approver as Member;
    if (!given.email) throw DocumentErrors.missingApproverEmail({ param: 'approver_email' });
    if (!approver) throw DocumentErrors.approverNotFound({ param: 'approver_email' });
    if (isSubmitter(ctx, document) && ctx.memberId !== approver.id)
      throw CommonErrors.permissionDenied({
        param: 'approver_email',
        message:
          'This API key, or the member to whom it is bound, submitted or created the document and cannot decide it on behalf of others.',
      });
    if (document.submitted_by === null && isSubmitter(ctx, document) && !allow_self_approval)
      throw CommonErrors.permissionDenied({
        param: 'approver_email',
        message: 'This API key created the document, so it cannot decide it.',
      });
    return approver;
  }

  /** The request that the approver decides, of the given ones: their own, or an unnamed one. */
  private async requestFor(
    ctx: Ctx,
    given: readonly ApprovalRequest[],
    requests: readonly ApprovalRequest[],
    approver: Member,
    document: Document,
    definition: TypeDefinition,
  ): Promise<ApprovalRequest> {
    if (!mayApprove(approver)) throw DocumentErrors.notAnApprover({ param: 'approver_email' });
    const own = requests.find(({ approver_id }) => approver_id === approver.id);
    if (own?.decision === 'pending' && given.includes(own)) return own;
    if (own && own.decision !== 'withdrawn' && own.decision !== 'pending')
      throw DocumentErrors.invalidAction({ param: 'approver_email', message: `${approver.email} has already decided on this step.` });
    const open = given.filter(({ approver_id, decision }) => approver_id === null && decision === 'pending');
    // requests in place of the submitter are also open to others, so approvers take them last
    const kinds = [open.find(({ in_place_of }) => in_place_of === null), open.find(({ in_place_of }) => in_place_of !== null)];
    for (const one of own ? [] : kinds) {
      if (one && (await this.approvers.isOpenTo(ctx, approver, one, requests, document, definition))) return one;
    }
    throw DocumentErrors.notAnApprover({ param: 'approver_email' });
  }

  private async settle(ctx: Ctx, tx: Tx, given: Settlement): Promise<Document> {
    const { document, definition, round, requests, request, approver, input } = given;
    const { decision, state } = RESULTS[input.kind];
    const basis: MoveBasis = { lifecycleAction: input.lifecycleAction, actedFor: approver };
    const decidedRequest = { ...request, decision, approver_id: approver.id } as ApprovalRequest;
    const after = requests.map((one) => (one.id === request.id ? decidedRequest : one));
    const isStepOver = input.kind !== 'approve' || isSatisfied(after, await this.presence(ctx, after));
    const next = input.kind === 'approve' && isStepOver ? nextStep(definition, document.data_values, request.step_index) : null;
    const isLast = isStepOver && next === null;
    // an approval that does not complete the step needs no transition, but a named one must exist
    const isChecked = isLast || input.lifecycleAction !== null;
    const allowed = isChecked ? await this.moves.check(ctx, document, input.kind, state, basis) : undefined;
    // only a move reports what it changes
    const before = isLast ? await this.views.of(ctx, document, round) : undefined;
    const by = await this.actingMember(ctx, approver);
    const decided_by = { ...ctx.actor, email: ctx.actor.email ?? by.email };
    const change = { decision, approver_id: approver.id, comment: input.comments, decided_at: new Date(), decided_by };
    // the lock on the document excludes every other change of its requests
    const changed = await tx.advanced.pipelined.update(request, change);
    if (by.id !== approver.id) {
      const outcome = { decision, comment: input.comments, by };
      const look = await this.looks.of(ctx, document);
      await this.mails.send(ctx, tx, decidedForMail(approver, { document, stepName: request.step_name }, outcome, look));
    }
    if (isLast) {
      const others = await withdraw(
        tx,
        round.filter(({ id }) => id !== request.id),
      );
      const settled = round.map((one) => (one.id === request.id ? changed : (others.get(one.id) ?? one)));
      return this.end(ctx, tx, document, definition, input.kind, { ...basis, allowed, before, requests: settled });
    }
    if (isStepOver)
      await withdraw(
        tx,
        requests.filter(({ id }) => id !== request.id),
      );
    return this.carryOn(ctx, tx, given, next);
  }

  /** The member behind the call, if it is not the approver: the one to whom the key is bound. */
  private async actingMember(ctx: Ctx, approver: Member): Promise<Member> {
    if (ctx.memberId === null || ctx.memberId === approver.id) return approver;
    return (await this.members.byIds(ctx, [ctx.memberId]))[0];
  }

  /**
   * Continues the current step without approvers who left the organization or may no longer approve. The step completes if the
   * approvals are now enough. If no approver is left, others are asked.
   */
  release(ctx: Ctx, id: string): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const document = await tx.lock(Document, id);
      if (document.state !== 'in_approval') return;
      const { definition } = await this.versions.get(ctx, document.type_id, document.type_version);
      const requests = await tx.list(ApprovalRequest, {
        document_id: id,
        round: document.approval_round,
        step_index: document.approval_step as number,
      });
      const isPresent = await this.presence(ctx, requests);
      const pending = requests.filter(({ decision }) => decision === 'pending');
      const left = pending.filter(({ approver_id }) => approver_id !== null && !isPresent(approver_id));
      if (left.length === 0) return;
      const before = await this.views.of(ctx, document);
      if (isSatisfied(requests, isPresent)) {
        const next = nextStep(definition, document.data_values, left[0].step_index);
        if (next || (await this.canEnd(ctx, document))) {
          await withdraw(tx, pending);
          await (next
            ? this.carryOn(ctx, tx, { document, definition, request: left[0], approver: null }, next)
            : this.end(ctx, tx, document, definition, 'approve', { before }));
          return;
        }
      }
      if (pending.length > left.length) await withdraw(tx, left);
      else {
        await withdraw(tx, left.slice(1));
        await this.approvals.replace(ctx, tx, document, definition, left[0]);
      }
      await this.moves.record(ctx, tx, document, 'papers.escalate', {
        to_state: document.state,
        detail: { step: left[0].step_index, reason: 'approvers_left' },
      });
      await tx.advanced.touch(document);
    });
  }

  /** Whether the lifecycle has exactly one transition for the final approval, so that nobody has to choose. */
  private async canEnd(ctx: Ctx, document: Document): Promise<boolean> {
    try {
      await this.moves.check(ctx, document, 'approve', 'approved');
      return true;
    } catch (error) {
      if (error instanceof DomainError && error.spec.code === 'invalid_lifecycle') return false;
      throw error;
    }
  }

  private async end(
    ctx: Ctx,
    tx: Tx,
    document: Document,
    definition: TypeDefinition,
    kind: DecisionKind,
    options: MoveOptions,
  ): Promise<Document> {
    const { decision, state } = RESULTS[kind];
    const moved = await this.moves.move(ctx, tx, document, kind, state, {
      ...options,
      changes: { approval_outcome: decision, approval_step: null },
    });
    return kind === 'approve' && definition.finalize_on_approval ? this.finalize(ctx, tx, moved) : moved;
  }

  /** Keeps the document in approval: this step needs more approvals, or the next step starts. */
  private async carryOn(
    ctx: Ctx,
    tx: Tx,
    { document, definition, request, approver }: PendingDecision,
    next: ReturnType<typeof nextStep>,
  ): Promise<Document> {
    if (next) await this.approvals.requestDecisions(ctx, tx, document, definition, next);
    await this.moves.record(ctx, tx, document, 'papers.approve', {
      to_state: document.state,
      acted_for: approver?.email ?? null,
      detail: { step: request.step_index },
    });
    // the representation contains the requests, so it has changed even if no column of the document has
    return tx.advanced.touch(document, { approval_step: next?.index });
  }

  /** Whether the approvers of pending requests may still decide. */
  private async presence(ctx: Ctx, requests: readonly ApprovalRequest[]): Promise<(approverId: string) => boolean> {
    const members = await this.members.byIds(
      ctx,
      requests.flatMap(({ approver_id, decision }) => (decision === 'pending' ? (approver_id ?? []) : [])),
    );
    const present = new Set(members.filter((member) => member.status === 'active' && mayApprove(member)).map(({ id }) => id));
    return (approverId) => present.has(approverId);
  }

  /** Finalizes after the last approval, if the type says so. A failure rolls back the decision. */
  private async finalize(ctx: Ctx, tx: Tx, document: Document): Promise<Document> {
    try {
      return await this.finalization.finalize(ctx, tx, document, { automatic: true });
    } catch (cause) {
      // errors that a retry would repeat, and internal errors, keep their code
      if (cause instanceof DomainError && (cause.spec.code === 'invalid_lifecycle' || cause.spec.status === 503)) throw cause;
      throw DocumentErrors.approvalActionFailed({ cause });
    }
  }
}

/** Withdraws the pending ones of the requests; returns them by id. The lock on the document excludes other changes of them. */
async function withdraw(tx: Tx, requests: readonly ApprovalRequest[]): Promise<Map<string, ApprovalRequest>> {
  const withdrawn = new Map<string, ApprovalRequest>();
  for (const request of requests) {
    if (request.decision === 'pending') withdrawn.set(request.id, await tx.advanced.pipelined.update(request, { decision: 'withdrawn' }));
  }
  return withdrawn;
}

interface PendingDecision {
  document: Document;
  definition: TypeDefinition;
  /** The request being decided. */
  request: ApprovalRequest;
  /** Null if the step continues without approvers who left the organization. */
  approver: Member | null;
}

interface Settlement extends PendingDecision {
  approver: Member;
  /** All requests of the current submission. */
  round: readonly ApprovalRequest[];
  /** Those of the current step. */
  requests: readonly ApprovalRequest[];
  input: DecisionInput;
}
