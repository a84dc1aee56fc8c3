import { Injectable } from '@nestjs/common';
import { Members, sql, Store, type Condition, type Ctx, type Page, currentTime } from '../../../../kit/index.js';
import { substitutedBy } from '../../model/records/approval-substitute.entity.js';
import { Document } from '../../model/records/document.entity.js';
import { TypeVersions } from '../../model/types/type-versions.js';
import { ApprovalRequest } from '../../model/records/approval-request.entity.js';
import { Approvers } from './approvers.service.js';
import { NAMED_AT_MOST } from './approvals.service.js';
import { PendingApprovalDto, type PendingApprovalsQuery } from './pending-approvals.dto.js';
import { mayStandIn, Substitutes } from './substitutes.service.js';

/** A step has at most some 150 requests, and the store reads at most 10,000 rows at once. */
const STEPS_AT_ONCE = 50;

/** Lists pending decisions. Reads documents, types and the members of each distinct step once per page. */
@Injectable()
export class PendingApprovals {
  constructor(
    private readonly store: Store,
    private readonly members: Members,
    private readonly approvers: Approvers,
    private readonly versions: TypeVersions,
    private readonly substitutes: Substitutes,
  ) {}

  async page(ctx: Ctx, query: PendingApprovalsQuery): Promise<Page<ApprovalRequest>> {
    const conditions: Condition<ApprovalRequest>[] = [sql`t.decision = 'pending'`];
    if (query.approver_email !== undefined) {
      const approver = await this.members.byEmail(ctx, query.approver_email);
      conditions.push(approver ? sql`(t.approver_id = ${approver.id} OR t.approver_id IN ${substitutedBy(approver.id, 't')})` : sql`FALSE`);
    }
    return this.store.page(ctx, ApprovalRequest, query, ...conditions);
  }

  async mapper(ctx: Ctx, requests: readonly ApprovalRequest[]): Promise<(request: ApprovalRequest) => PendingApprovalDto> {
    const [documents, substituteIds] = await Promise.all([
      this.store.list(ctx, Document, { id: [...new Set(requests.map(({ document_id }) => document_id))] }),
      this.substitutes.ids(ctx, requests),
    ]);
    const version = await this.versions.all(ctx, documents);
    const typeOf = ({ type_id, type_version }: Document) => version(type_id, type_version);
    const documentOf = new Map(documents.map((document) => [document.id, document]));
    const [members, eligibleFor, hasOwn] = await Promise.all([
      this.members.byIds(ctx, [...new Set([...requests.flatMap(({ approver_id }) => approver_id ?? []), ...substituteIds.values()])]),
      this.approvers.eligible(
        ctx,
        requests
          .filter(({ approver_id }) => approver_id === null)
          .map((request) => {
            const document = documentOf.get(request.document_id) as Document;
            return { request, document, definition: typeOf(document).definition };
          }),
      ),
      this.ownRequests(ctx, requests),
    ]);
    const memberOf = new Map(members.map((member) => [member.id, member]));
    const now = currentTime();
    return (request) => {
      const document = documentOf.get(request.document_id) as Document;
      const approver = memberOf.get(request.approver_id ?? '') ?? null;
      const others = (eligibleFor.get(request.id) ?? []).filter(({ id }) => !hasOwn(request, id));
      const substitute = memberOf.get(substituteIds.get(request.id) ?? '');
      const standIns = substitute && mayStandIn(substitute, document) ? [substitute] : [];
      const eligible = approver ? [approver, ...standIns] : others.slice(0, NAMED_AT_MOST);
      return PendingApprovalDto.from(request, document, typeOf(document).name, approver, eligible, now);
    };
  }

  /** Who has a request of their own on the step of an unnamed request, and so cannot decide that one. */
  private async ownRequests(
    ctx: Ctx,
    requests: readonly ApprovalRequest[],
  ): Promise<(request: ApprovalRequest, memberId: string) => boolean> {
    const keyOf = ({ document_id, round, step_index }: ApprovalRequest) => `${document_id} ${round} ${step_index}`;
    const unnamed = [...new Map(requests.filter(({ approver_id }) => approver_id === null).map((one) => [keyOf(one), one])).values()];
    const parts: Promise<ApprovalRequest[]>[] = [];
    for (let start = 0; start < unnamed.length; start += STEPS_AT_ONCE) {
      const part = unnamed.slice(start, start + STEPS_AT_ONCE);
      // the arrays are in subqueries, or PostgreSQL would plan each execution by their lengths, which takes longer than the execution
      const ofSteps = sql`t.approver_id IS NOT NULL AND (t.document_id, t.round, t.step_index) IN
        (SELECT * FROM unnest((SELECT ${part.map(({ document_id }) => document_id)}::uuid[]),
          (SELECT ${part.map(({ round }) => round)}::integer[]), (SELECT ${part.map(({ step_index }) => step_index)}::integer[])))`;
      parts.push(this.store.list(ctx, ApprovalRequest, {}, ofSteps));
    }
    const own = new Set((await Promise.all(parts)).flat().map((one) => `${keyOf(one)} ${one.approver_id}`));
    return (request, memberId) => own.has(`${keyOf(request)} ${memberId}`);
  }
}
