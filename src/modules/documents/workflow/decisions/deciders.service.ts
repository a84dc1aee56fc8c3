import { Injectable } from '@nestjs/common';
import { CommonErrors, Members, type Ctx, type Member } from '../../../../kit/index.js';
import { DocumentErrors } from '../../model/core/documents.errors.js';
import type { ApprovalRequest } from '../../model/records/approval-request.entity.js';
import type { Document } from '../../model/records/document.entity.js';
import { isSubmitter } from '../../model/rules/allowed-actions.js';
import { mayApprove } from '../../model/rules/approval-panel.js';
import type { TypeDefinition } from '../../model/types/type-definition.js';
import { Approvers } from '../approvals/approvers.service.js';
import { Substitutes } from '../approvals/substitutes.service.js';
import { pendingIds } from './chosen-request.js';
import type { DecisionInput } from './decision-input.js';

/** Who decides, and which request: the first step of a decision. */
@Injectable()
export class Deciders {
  constructor(
    private readonly members: Members,
    private readonly approvers: Approvers,
    private readonly substitutes: Substitutes,
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
   * The request that the approver decides: their own, an unnamed one, or one of a member who is away and whose substitute they are:
   * `absent`. `chosen` is the one that the caller named by its id. Fails if nothing names the step although the approver, or the member
   * who is away, is asked on several.
   */
  async request(
    ctx: Ctx,
    { document, definition, round }: Round,
    approver: Member,
    chosen: ApprovalRequest | null,
    step: string | null,
  ): Promise<DecidedRequest> {
    const requests = round.filter(({ step_index }) => step_index === document.approval_step);
    const decided = await this.requestOf(ctx, chosen ? [chosen] : requests, requests, approver, document, definition);
    if (chosen !== null || step !== null) return decided;
    for (const member of decided.absent ? [approver, decided.absent] : [approver])
      if (await this.approvers.isAskedElsewhere(ctx, member, document, definition, round))
        throw CommonErrors.validationFailed({
          param: 'decision_id',
          message: `decision_id or step is required: ${member.email} is asked on more than one step of this approval.`,
          allowed: pendingIds(requests, member.id),
        });
    return decided;
  }

  private async requestOf(
    ctx: Ctx,
    given: readonly ApprovalRequest[],
    requests: readonly ApprovalRequest[],
    approver: Member,
    document: Document,
    definition: TypeDefinition,
  ): Promise<DecidedRequest> {
    if (!mayApprove(approver)) throw DocumentErrors.notAnApprover({ param: 'approver_email' });
    const own = requests.find(({ approver_id }) => approver_id === approver.id);
    if (own?.decision === 'pending' && given.includes(own)) return { request: own, absent: null };
    if (own && own.decision !== 'withdrawn' && own.decision !== 'pending')
      throw DocumentErrors.invalidAction({ param: 'approver_email', message: `${approver.email} has already decided on this step.` });
    const open = given.filter(({ approver_id, decision }) => approver_id === null && decision === 'pending');
    // requests in place of the submitter are also open to others, so approvers take them last
    const kinds = [open.find(({ in_place_of }) => in_place_of === null), open.find(({ in_place_of }) => in_place_of !== null)];
    for (const one of own ? [] : kinds) {
      if (one && (await this.approvers.isOpenTo(ctx, approver, one, requests, document, definition))) return { request: one, absent: null };
    }
    const substituted = await this.substituted(ctx, given, requests, approver, document);
    if (substituted) return substituted;
    throw DocumentErrors.notAnApprover({ param: 'approver_email' });
  }

  /** A request of a member who is away. Each approval of a step must be another person's, so that a substitute has one, too. */
  private async substituted(
    ctx: Ctx,
    given: readonly ApprovalRequest[],
    requests: readonly ApprovalRequest[],
    approver: Member,
    document: Document,
  ): Promise<DecidedRequest | null> {
    const away = await this.substitutes.absent(ctx, approver, document);
    for (const absent of away) {
      const request = given.find(({ approver_id, decision }) => approver_id === absent.id && decision === 'pending');
      if (!request) continue;
      if (requests.some(({ decided_by }) => decided_by?.email === approver.email))
        throw DocumentErrors.invalidAction({ param: 'approver_email', message: `${approver.email} has already decided on this step.` });
      return { request, absent };
    }
    return null;
  }
}

/** A document under approval, with all requests of its current submission. */
export interface Round {
  document: Document;
  definition: TypeDefinition;
  round: readonly ApprovalRequest[];
}

/** A request, and the member who is away, if another one decides it for them. */
export interface DecidedRequest {
  request: ApprovalRequest;
  absent: Member | null;
}
