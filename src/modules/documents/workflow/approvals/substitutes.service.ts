import { Injectable } from '@nestjs/common';
import {
  CommonErrors,
  dayIn,
  listBody,
  Members,
  Projects,
  sql,
  Store,
  type Ctx,
  type ListBody,
  type Member,
  type Tx,
} from '../../../../kit/index.js';
import { ApprovalRequest } from '../../model/records/approval-request.entity.js';
import { ApprovalSubstitute } from '../../model/records/approval-substitute.entity.js';
import type { Document } from '../../model/records/document.entity.js';
import { mayApprove } from '../../model/rules/approval-panel.js';
import { DocumentSettings } from '../../settings/document-settings.entity.js';
import { SubstituteDto, type CreateSubstituteDto, type SubstitutesQuery } from './substitutes.dto.js';

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

  async page(ctx: Ctx, query: SubstitutesQuery): Promise<ListBody<SubstituteDto>> {
    const page = await this.store.page(ctx, ApprovalSubstitute, query);
    const memberOf = await this.memberOf(ctx, page.data);
    return listBody(page, (row) => SubstituteDto.from(row, memberOf));
  }

  async create(ctx: Ctx, { member_email, substitute_email, starts_on, ends_on }: CreateSubstituteDto): Promise<SubstituteDto> {
    if (ends_on < starts_on) throw CommonErrors.validationFailed({ param: 'ends_on', message: 'ends_on must not be before starts_on' });
    const member = member_email
      ? await this.approver(ctx, 'member_email', member_email)
      : (await this.members.byIds(ctx, [ctx.memberId as string]))[0];
    if (member.id !== ctx.memberId && !ctx.permissions.has('papers.setup.manage'))
      throw CommonErrors.permissionDenied({
        param: 'member_email',
        message: 'Only members with the permission papers.setup.manage choose substitutes for others.',
      });
    const substitute = await this.approver(ctx, 'substitute_email', substitute_email);
    if (substitute.id === member.id)
      throw CommonErrors.validationFailed({ param: 'substitute_email', message: 'substitute_email must be another member' });
    const row = await this.store.write(ctx, async (tx) => {
      // two calls at once must not make a chain
      await tx.target(DocumentSettings, ctx.organizationId);
      await this.requireFree(tx, member, substitute, starts_on, ends_on);
      return tx.insert(ApprovalSubstitute, {
        member_id: member.id,
        substitute_id: substitute.id,
        starts_on,
        ends_on,
        created_by: ctx.actor,
      });
    });
    return SubstituteDto.from(row, (id) => (id === member.id ? member : substitute));
  }

  /** Decisions that the substitute has made stay. */
  delete(ctx: Ctx, id: string): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const row = await tx.target(ApprovalSubstitute, id);
      if (row.member_id !== ctx.memberId && !ctx.permissions.has('papers.setup.manage'))
        throw CommonErrors.permissionDenied({
          message: 'Only the member who is away, and members with the permission papers.setup.manage, can do this.',
        });
      await tx.delete(row);
    });
  }

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

  /** Who may decide today in place of the approvers of pending requests of a step, and has not approved it already. */
  async of(
    ctx: Ctx,
    tx: Tx,
    approvers: readonly Member[],
    pending: readonly ApprovalRequest[],
    { submitted_by, project_id }: Document,
  ): Promise<{ substitute: Member; absent: Member; request: ApprovalRequest }[]> {
    const rows = approvers.length === 0 ? [] : await tx.list(ApprovalSubstitute, { member_id: approvers.map(({ id }) => id) });
    if (rows.length === 0) return [];
    const { document_id, round, step_index } = pending[0];
    const approved = await tx.list(ApprovalRequest, { document_id, round, step_index, decision: 'approved' });
    const today = dayIn((await this.projects.get(ctx, project_id)).timezone);
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

  private async requireFree(tx: Tx, member: Member, substitute: Member, starts_on: string, ends_on: string): Promise<void> {
    const people = [member.id, substitute.id];
    const overlapping = sql`daterange(t.starts_on, t.ends_on, '[]') && daterange(${starts_on}::date, ${ends_on}::date, '[]')
      AND (t.member_id = ANY(${people}::uuid[]) OR t.substitute_id = ${member.id})`;
    const [other] = (await tx.list(ApprovalSubstitute, {}, overlapping)) as (ApprovalSubstitute | undefined)[];
    if (!other) return;
    const days = `from ${other.starts_on} to ${other.ends_on}`;
    const reject = (param: string, message: string) => CommonErrors.validationFailed({ param, message });
    if (other.member_id === member.id)
      throw reject('starts_on', `starts_on is in a time, ${days}, for which ${member.email} already has a substitute`);
    if (other.member_id === substitute.id) throw reject('substitute_email', `substitute_email is away ${days}; choose somebody else`);
    throw reject('starts_on', `starts_on is in a time, ${days}, in which ${member.email} is a substitute and cannot have one`);
  }

  private async approver(ctx: Ctx, param: string, email: string): Promise<Member> {
    const member = await this.members.byEmail(ctx, email);
    if (member && mayApprove(member)) return member;
    throw CommonErrors.validationFailed({ param, message: `${param} must be an active member who may approve documents` });
  }

  private async memberOf(ctx: Ctx, rows: readonly ApprovalSubstitute[]): Promise<(id: string) => Member> {
    const ids = new Set(rows.flatMap(({ member_id, substitute_id }) => [member_id, substitute_id]));
    const members = new Map((await this.members.byIds(ctx, [...ids])).map((member) => [member.id, member]));
    return (id) => members.get(id) as Member;
  }
}
