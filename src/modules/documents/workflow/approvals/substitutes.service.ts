import { Injectable } from '@nestjs/common';
import { dayIn, Members, Projects, Store, type Ctx, type Member, type Tx, currentTime } from '../../../../kit/index.js';
import { ApprovalRequest } from '../../model/records/approval-request.entity.js';
import { ApprovalSubstitute } from '../../model/records/approval-substitute.entity.js';
import type { Document } from '../../model/records/document.entity.js';
import { mayApprove } from '../../model/rules/approval-panel.js';

/**
 * Members who decide for others while these are away. A substitute of a substitute never decides, and neither does one who submitted the
 * document.
 */
@Injectable()
export class Substitutes {
  constructor(
    private readonly store: Store,
    private readonly members: Members,
    private readonly projects: Projects,
  ) {}

  /** The members for whom this one may decide on the document today; none for its submitter. */
  async absent(ctx: Ctx, member: Member, { submitted_by, project_id }: Document): Promise<Member[]> {
    if (member.id === submitted_by || member.status !== 'active' || !mayApprove(member)) return [];
    const rows = await this.store.list(ctx, ApprovalSubstitute, { substitute_id: member.id });
    if (rows.length === 0) return [];
    const today = dayIn((await this.projects.get(ctx, project_id)).timezone);
    const current = rows.filter(({ starts_on, ends_on }) => starts_on <= today && today <= ends_on);
    return this.members.byIds(
      ctx,
      current.map(({ member_id }) => member_id),
    );
  }

  /** Who may decide today in place of the approvers whom pending requests of any documents name. */
  async ofNamed(
    ctx: Ctx,
    requests: readonly ApprovalRequest[],
    documentOf: ReadonlyMap<string, Document>,
  ): Promise<(request: ApprovalRequest) => Member[]> {
    const named = [...new Set(requests.flatMap(({ approver_id }) => approver_id ?? []))];
    const rows = named.length === 0 ? [] : await this.store.list(ctx, ApprovalSubstitute, { member_id: named });
    if (rows.length === 0) return () => [];
    const approver_id = [...new Set(rows.map(({ substitute_id }) => substitute_id))];
    const [members, approved, projects] = await Promise.all([
      this.members.byIds(ctx, approver_id),
      this.store.list(ctx, ApprovalRequest, { document_id: [...documentOf.keys()], decision: 'approved', approver_id }),
      Promise.all([...new Set(requests.map(({ project_id }) => project_id))].map((id) => this.projects.get(ctx, id))),
    ]);
    const able = new Map(members.filter((one) => one.status === 'active' && mayApprove(one)).map((one) => [one.id, one]));
    const todayOf = new Map(projects.map(({ id, timezone }) => [id, dayIn(timezone)]));
    return ({ approver_id: absentId, document_id, project_id, round, step_index }) => {
      const today = todayOf.get(project_id) as string;
      const hasApproved = (id: string) =>
        approved.some(
          (one) => one.approver_id === id && one.document_id === document_id && one.round === round && one.step_index === step_index,
        );
      return rows.flatMap(({ member_id, substitute_id: id, starts_on, ends_on }) => {
        if (member_id !== absentId || today < starts_on || today > ends_on || hasApproved(id)) return [];
        return id === documentOf.get(document_id)?.submitted_by ? [] : (able.get(id) ?? []);
      });
    };
  }

  /** Who may decide in place of the approvers of pending requests of a step, and has not approved it already. */
  async of(
    ctx: Ctx,
    tx: Tx,
    approvers: readonly Member[],
    pending: readonly ApprovalRequest[],
    { submitted_by, project_id }: Document,
    at = currentTime(),
  ): Promise<{ substitute: Member; absent: Member; request: ApprovalRequest }[]> {
    const rows = approvers.length === 0 ? [] : await tx.list(ApprovalSubstitute, { member_id: approvers.map(({ id }) => id) });
    if (rows.length === 0) return [];
    const { document_id, round, step_index } = pending[0];
    const approved = await tx.list(ApprovalRequest, { document_id, round, step_index, decision: 'approved' });
    const today = dayIn((await this.projects.get(ctx, project_id)).timezone, at);
    const current = rows.filter(({ starts_on, ends_on }) => starts_on <= today && today <= ends_on);
    const members = await this.members.byIds(
      ctx,
      current.map(({ substitute_id }) => substitute_id),
    );
    return current.flatMap(({ member_id, substitute_id }) => {
      const substitute = members.find(({ id }) => id === substitute_id);
      const absent = approvers.find(({ id }) => id === member_id);
      const request = pending.find(({ approver_id }) => approver_id === member_id);
      if (!substitute || !absent || !request || substitute.id === submitted_by) return [];
      if (approved.some(({ approver_id }) => approver_id === substitute_id)) return [];
      return substitute.status === 'active' && mayApprove(substitute) ? [{ substitute, absent, request }] : [];
    });
  }
}
