import { Injectable } from '@nestjs/common';
import { Members, Store, type Condition, type Ctx, type Member, type Page } from '../../../kit/index.js';
import { Document } from '../model/records/document.entity.js';
import type { TypeDefinition } from '../model/types/type-definition.js';
import { TypeVersions } from '../model/types/type-versions.js';
import { ApprovalRequest } from '../model/records/approval-request.entity.js';
import { mayApprove, mayDecide, openTo, panelOf } from '../model/rules/approval-panel.js';
import { stepAt } from '../model/rules/approval-route.js';
import { NAMED_AT_MOST } from './approvals.service.js';
import { PendingApprovalDto, type PendingApprovalsQuery } from './pending-approvals.dto.js';

/** A step has at most some 150 requests, and the store reads at most 10,000 rows at once. */
const STEPS_AT_ONCE = 50;

/** Lists pending decisions. Reads documents, types and members once per page. */
@Injectable()
export class PendingApprovals {
  constructor(
    private readonly store: Store,
    private readonly members: Members,
    private readonly versions: TypeVersions,
  ) {}

  async page(ctx: Ctx, query: PendingApprovalsQuery): Promise<Page<ApprovalRequest>> {
    const conditions: Condition[] = [{ sql: `t.decision = 'pending'`, values: {} }];
    if (query.approver_email !== undefined) {
      const approver = await this.members.byEmail(ctx, query.approver_email);
      conditions.push(approver ? { sql: 't.approver_id = :approver', values: { approver: approver.id } } : { sql: 'FALSE', values: {} });
    }
    return this.store.page(ctx, ApprovalRequest, query, ...conditions);
  }

  async mapper(ctx: Ctx, requests: readonly ApprovalRequest[]): Promise<(request: ApprovalRequest) => PendingApprovalDto> {
    const documents = await this.store.list(ctx, Document, { id: [...new Set(requests.map(({ document_id }) => document_id))] });
    const version = await this.versions.all(ctx, documents);
    // an unnamed request is for whoever matches its step or, if it is unrouted, for everyone who may approve
    const members = requests.some(({ approver_id }) => approver_id === null)
      ? await this.members.list(ctx)
      : await this.members.byIds(ctx, [...new Set(requests.flatMap(({ approver_id }) => approver_id ?? []))]);
    const hasOwn = await this.ownRequests(ctx, requests);
    const documentOf = new Map(documents.map((document) => [document.id, document]));
    const memberOf = new Map(members.map((member) => [member.id, member]));
    const now = new Date();
    return (request) => {
      const document = documentOf.get(request.document_id) as Document;
      const { definition } = version(document.type_id, document.type_version);
      const approver = memberOf.get(request.approver_id ?? '') ?? null;
      const others = approver ? [] : eligibleFor(request, members, document, definition).filter(({ id }) => !hasOwn(request, id));
      const eligible = approver ? [approver] : others.slice(0, NAMED_AT_MOST);
      return PendingApprovalDto.from(request, document, approver, eligible, now);
    };
  }

  /** Who has a request of their own on the step of an unnamed request, and so cannot decide that one. */
  private async ownRequests(
    ctx: Ctx,
    requests: readonly ApprovalRequest[],
  ): Promise<(request: ApprovalRequest, memberId: string) => boolean> {
    const keyOf = ({ document_id, round, step_index }: ApprovalRequest) => `${document_id} ${round} ${step_index}`;
    const unnamed = [...new Map(requests.filter(({ approver_id }) => approver_id === null).map((one) => [keyOf(one), one])).values()];
    // the arrays stand in subqueries: by their lengths, PostgreSQL would choose a plan for every execution, which takes longer than it
    const sql = `t.approver_id IS NOT NULL AND (t.document_id, t.round, t.step_index) IN
      (SELECT * FROM unnest((SELECT :ids::uuid[]), (SELECT :rounds::integer[]), (SELECT :steps::integer[])))`;
    const parts: Promise<ApprovalRequest[]>[] = [];
    for (let start = 0; start < unnamed.length; start += STEPS_AT_ONCE) {
      const part = unnamed.slice(start, start + STEPS_AT_ONCE);
      const values = {
        ids: part.map(({ document_id }) => document_id),
        rounds: part.map(({ round }) => round),
        steps: part.map(({ step_index }) => step_index),
      };
      parts.push(this.store.list(ctx, ApprovalRequest, {}, { sql, values }));
    }
    const own = new Set((await Promise.all(parts)).flat().map((one) => `${keyOf(one)} ${one.approver_id}`));
    return (request, memberId) => own.has(`${keyOf(request)} ${memberId}`);
  }
}

/** The members who may decide an unnamed request. */
function eligibleFor(request: ApprovalRequest, members: readonly Member[], document: Document, definition: TypeDefinition): Member[] {
  const step = request.routing === 'routed' ? stepAt(definition, request.step_index) : null;
  const panel = step && panelOf(step, members, document, definition);
  if (panel && !panel.isUnrouted) return openTo(panel, request);
  return members.filter((member) => member.status === 'active' && mayApprove(member) && mayDecide(member, document, definition));
}
