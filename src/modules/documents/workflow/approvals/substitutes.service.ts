import { Injectable } from '@nestjs/common';
import { Members, own, projectDay, sql, Store, table, type Ctx, type Member, type Sql, currentTime } from '../../../../kit/index.js';
import { ApprovalRequest } from '../../model/records/approval-request.entity.js';
import { ApprovalSubstitute, substitutedBy } from '../../model/records/approval-substitute.entity.js';
import type { Document } from '../../model/records/document.entity.js';
import { mayApprove } from '../../model/rules/approval-panel.js';

/** A pending request of an approver who is away, and who may decide it for them. */
export interface SubstitutedRequest {
  request: ApprovalRequest;
  absent: Member;
  substitute: Member;
}

/**
 * Members who decide for others while these are away. A substitute of a substitute never decides, and neither does one who submitted the
 * document.
 */
@Injectable()
export class Substitutes {
  constructor(
    private readonly store: Store,
    private readonly members: Members,
  ) {}

  /** The approvers of pending requests of the document for whom this member may decide today. */
  async absent(ctx: Ctx, member: Member, document: Document): Promise<Member[]> {
    if (!mayStandIn(member, document)) return [];
    const ofAbsent = sql`t.approver_id IN ${substitutedBy(member.id, 't', currentTime())}`;
    const requests = await this.store.list(ctx, ApprovalRequest, { document_id: document.id, decision: 'pending' }, ofAbsent);
    return this.members.byIds(
      ctx,
      requests.flatMap(({ approver_id }) => approver_id ?? []),
    );
  }

  /** Who may decide in place of the approvers whom pending requests name, and has not approved the step already. */
  async of(
    ctx: Ctx,
    requests: readonly ApprovalRequest[],
    documentOf: (request: ApprovalRequest) => Document,
    at = currentTime(),
  ): Promise<SubstitutedRequest[]> {
    const found = await this.ids(ctx, requests, at);
    if (found.size === 0) return [];
    const asked = requests.filter(({ id }) => found.has(id));
    const ids = new Set([...found.values(), ...asked.flatMap(({ approver_id }) => approver_id ?? [])]);
    const memberOf = new Map((await this.members.byIds(ctx, [...ids])).map((member) => [member.id, member]));
    return asked.flatMap((request) => {
      const absent = memberOf.get(request.approver_id as string);
      const substitute = memberOf.get(found.get(request.id) as string);
      return absent && substitute && mayStandIn(substitute, documentOf(request)) ? [{ request, absent, substitute }] : [];
    });
  }

  /** The ids of those whom `mayStandIn` may let decide in place of the approvers whom pending requests name, by the ids of these. */
  async ids(ctx: Ctx, requests: readonly ApprovalRequest[], at = currentTime()): Promise<ReadonlyMap<string, string>> {
    const named = requests.filter(({ approver_id }) => approver_id !== null);
    if (named.length === 0) return new Map();
    const rows = await this.store.reader(ctx).sql<{ request_id: string; substitute_id: string }>(currentSubstitutes(named, at));
    return new Map(rows.map(({ request_id, substitute_id }) => [request_id, substitute_id]));
  }
}

export function mayStandIn(member: Member, { submitted_by }: Document): boolean {
  return member.id !== submitted_by && member.status === 'active' && mayApprove(member);
}

/** The periods of a member never overlap, so that a request has one substitute at most. */
function currentSubstitutes(requests: readonly ApprovalRequest[], at: Date): Sql {
  return sql`
    SELECT r.id AS request_id, s.substitute_id
    FROM ${table(ApprovalRequest)} r JOIN ${table(ApprovalSubstitute)} s ON s.member_id = r.approver_id
    WHERE ${own('r')} AND ${own('s')} AND r.id = ANY(${requests.map(({ id }) => id)}::uuid[])
      AND ${projectDay('r', at)} BETWEEN s.starts_on AND s.ends_on
      AND NOT EXISTS (SELECT FROM ${table(ApprovalRequest)} a
        WHERE ${own('a')} AND a.document_id = r.document_id AND a.round = r.round AND a.step_index = r.step_index
          AND a.approver_id = s.substitute_id AND a.decision = 'approved')`;
}
