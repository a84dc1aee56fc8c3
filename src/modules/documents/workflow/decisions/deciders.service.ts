import { Injectable } from '@nestjs/common';
import { CommonErrors, Members, type Ctx, type Member } from '../../../../kit/index.js';
import { DocumentErrors } from '../../model/core/documents.errors.js';
import type { ApprovalRequest } from '../../model/records/approval-request.entity.js';
import type { Document } from '../../model/records/document.entity.js';
import { isSubmitter } from '../../model/rules/allowed-actions.js';
import { mayApprove } from '../../model/rules/approval-panel.js';
import type { TypeDefinition } from '../../model/types/type-definition.js';
import { Approvers } from '../approvals/approvers.service.js';
import { pendingIds } from './chosen-request.js';
import type { DecisionInput } from './decision-input.js';

/** Who decides, and which request: the first step of a decision. */
@Injectable()
export class Deciders {
  constructor(
    private readonly members: Members,
    private readonly approvers: Approvers,
  ) {}

  /** The member whom the caller names; null if there is none. */
  async named(ctx: Ctx, { approver: given }: DecisionInput): Promise<Member | null> {
    if ('memberId' in given) return (await this.members.byIds(ctx, [given.memberId]))[0];
    return given.email ? this.members.byEmail(ctx, given.email) : null;
  }

  /** The member who decides. Submitters decide at most in their own name, where the type allows that. */
  approver(
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

  /**
   * The request that the approver decides: their own, or an unnamed one. `chosen` is the one that the caller named by its id. Fails if
   * nothing names the step although the approver is asked on several.
   */
  async request(
    ctx: Ctx,
    { document, definition, round }: Round,
    approver: Member,
    chosen: ApprovalRequest | null,
    step: string | null,
  ): Promise<ApprovalRequest> {
    const requests = round.filter(({ step_index }) => step_index === document.approval_step);
    const request = await this.requestOf(ctx, chosen ? [chosen] : requests, requests, approver, document, definition);
    const isNamed = chosen !== null || step !== null;
    if (!isNamed && (await this.approvers.isAskedElsewhere(ctx, approver, document, definition, round)))
      throw CommonErrors.validationFailed({
        param: 'decision_id',
        message: `decision_id or step is required: ${approver.email} is asked on more than one step of this approval.`,
        allowed: pendingIds(requests, approver.id),
      });
    return request;
  }

  private async requestOf(
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
}

/** A document under approval, with all requests of its current submission. */
export interface Round {
  document: Document;
  definition: TypeDefinition;
  round: readonly ApprovalRequest[];
}
