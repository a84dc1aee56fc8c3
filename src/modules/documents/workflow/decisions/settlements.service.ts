import { currentTime } from '../../../../kit/index.js';
import { Injectable } from '@nestjs/common';
import type { Ctx, Member, Tx } from '../../../../kit/index.js';
import type { ApprovalRequest } from '../../model/records/approval-request.entity.js';
import type { Document } from '../../model/records/document.entity.js';
import { isSatisfied, nextStep } from '../../model/rules/approval-route.js';
import { DocumentViews } from '../../views/document-views.js';
import { ApprovalMailer } from '../approvals/approval-mailer.service.js';
import { Approvers } from '../approvals/approvers.service.js';
import { DocumentMoves, type MoveBasis } from '../moves/document-moves.js';
import { ApprovalProgress, withdraw } from './approval-progress.service.js';
import type { DecidedRequest, Round } from './deciders.service.js';
import { DECISIONS, type DecisionInput } from './decision-input.js';

/** Records a decision that was checked, tells the approver in whose name another one decided, and lets the approval go on. */
@Injectable()
export class Settlements {
  constructor(
    private readonly views: DocumentViews,
    private readonly approvers: Approvers,
    private readonly mailer: ApprovalMailer,
    private readonly moves: DocumentMoves,
    private readonly progress: ApprovalProgress,
  ) {}

  /** `decider` decides in their own name, or for the member who is away. */
  async settle(
    ctx: Ctx,
    tx: Tx,
    given: Round,
    { request, absent }: DecidedRequest,
    decider: Member,
    input: DecisionInput,
  ): Promise<Document> {
    const approver = absent ?? decider;
    const { document, definition, round } = given;
    const { decision, state } = DECISIONS[input.kind];
    const requests = round.filter(({ step_index }) => step_index === document.approval_step);
    const basis: MoveBasis = { lifecycleAction: input.lifecycleAction, actedFor: approver };
    const decidedRequest = { ...request, decision, approver_id: approver.id } as ApprovalRequest;
    const after = requests.map((one) => (one.id === request.id ? decidedRequest : one));
    const isStepOver = input.kind !== 'approve' || isSatisfied(after, await this.approvers.presence(ctx, after));
    const next = input.kind === 'approve' && isStepOver ? nextStep(definition, document.data_values, request.step_index) : null;
    const isLast = isStepOver && next === null;
    // an approval that does not complete the step needs no transition, but a named one must exist
    const isChecked = isLast || input.lifecycleAction !== null;
    const allowed = isChecked ? await this.moves.check(ctx, document, input.kind, state, basis) : undefined;
    // only a move reports what it changes
    const before = isLast ? await this.views.of(ctx, document, round) : undefined;
    const by = await this.approvers.actingMember(ctx, decider);
    const decided_by = { ...ctx.actor, email: absent ? decider.email : (ctx.actor.email ?? by.email) };
    const change = {
      decision,
      approver_id: approver.id,
      comment: input.comments,
      decided_at: currentTime(),
      decided_by,
      substitute_id: absent && decider.id,
    };
    // the lock on the document excludes every other change of its requests
    const changed = await tx.advanced.pipelined.update(request, change);
    const subject = { document, stepName: request.step_name };
    const outcome = { decision, comment: input.comments };
    if (by.id !== decider.id) await this.mailer.tellDecided(ctx, tx, decider, subject, { ...outcome, by, as: 'key' });
    if (absent) await this.mailer.tellDecided(ctx, tx, absent, subject, { ...outcome, by: decider, as: 'substitute' });
    if (decision === 'rejected' || decision === 'returned')
      await this.mailer.tellRefused(ctx, tx, subject, { decision, comment: input.comments, by: decider, inPlaceOf: absent });
    const others = (isLast ? round : isStepOver ? requests : []).filter(({ id }) => id !== request.id);
    const withdrawn = await withdraw(tx, others);
    if (!isLast) return this.progress.carryOn(ctx, tx, given, { index: request.step_index, next, approver, substitute: absent && decider });
    const settled = round.map((one) => (one.id === request.id ? changed : (withdrawn.get(one.id) ?? one)));
    return this.progress.end(ctx, tx, given, input.kind, {
      ...basis,
      allowed,
      before,
      requests: settled,
      detail: absent ? { substitute: decider.email } : undefined,
    });
  }
}
