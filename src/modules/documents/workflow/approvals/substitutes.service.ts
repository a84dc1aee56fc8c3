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
