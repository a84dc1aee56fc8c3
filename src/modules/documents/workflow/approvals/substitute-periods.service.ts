import { Injectable } from '@nestjs/common';
import {
  CommonErrors,
  dayIn,
  invalid,
  Jobs,
  listBody,
  Members,
  Projects,
  realTime,
  sql,
  Store,
  type Ctx,
  type ListBody,
  type Member,
  type Tx,
} from '../../../../kit/index.js';
import { Temporal } from 'temporal-polyfill';
import { ApprovalSubstitute } from '../../model/records/approval-substitute.entity.js';
import { mayApprove } from '../../model/rules/approval-panel.js';
import { DocumentSettings } from '../../settings/document-settings.entity.js';
import { AskSubstitutesOf } from './ask-substitutes.job.js';
import { SubstituteDto, type CreateSubstituteDto, type SubstitutesQuery } from './substitutes.dto.js';

/** When members decide for others, who are away. A substitute never has one. */
@Injectable()
export class SubstitutePeriods {
  constructor(
    private readonly store: Store,
    private readonly members: Members,
    private readonly projects: Projects,
    private readonly jobs: Jobs,
  ) {}

  async page(ctx: Ctx, query: SubstitutesQuery): Promise<ListBody<SubstituteDto>> {
    const page = await this.store.page(ctx, ApprovalSubstitute, query);
    const memberOf = await this.memberOf(ctx, page.data);
    return listBody(page, (row) => SubstituteDto.from(row, memberOf));
  }

  async create(ctx: Ctx, { member_email, substitute_email, starts_on, ends_on }: CreateSubstituteDto): Promise<SubstituteDto> {
    if (ends_on < starts_on) throw invalid('ends_on', 'must not be before starts_on');
    const { timezone } = await this.projects.resolve(ctx, null);
    // both modes have the same substitutes: the real day counts
    if (ends_on < dayIn(timezone, realTime())) throw invalid('ends_on', 'must not be in the past');
    const member = await this.approver(ctx, 'member_email', member_email ?? null);
    if (member.id !== ctx.memberId && !ctx.permissions.has('papers.setup.manage'))
      throw CommonErrors.permissionDenied({
        param: 'member_email',
        message: 'Only members with the permission papers.setup.manage choose substitutes for others.',
      });
    const substitute = await this.approver(ctx, 'substitute_email', substitute_email);
    if (substitute.id === member.id) throw invalid('substitute_email', 'must be another member');
    const row = await this.store.write(ctx, async (tx) => {
      // two calls at once must not make a chain
      await tx.target(DocumentSettings, ctx.organizationId);
      await this.requireFree(tx, member, substitute, starts_on, ends_on);
      const created = await tx.insert(ApprovalSubstitute, {
        member_id: member.id,
        substitute_id: substitute.id,
        starts_on,
        ends_on,
        created_by: ctx.actor,
      });
      const { epochMilliseconds } = Temporal.PlainDate.from(starts_on).toZonedDateTime(timezone);
      await this.jobs.add(ctx, tx, AskSubstitutesOf, { member_id: member.id }, { dueAt: new Date(epochMilliseconds) });
      return created;
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

  private async requireFree(tx: Tx, member: Member, substitute: Member, starts_on: string, ends_on: string): Promise<void> {
    const people = [member.id, substitute.id];
    const overlapping = sql`daterange(t.starts_on, t.ends_on, '[]') && daterange(${starts_on}::date, ${ends_on}::date, '[]')
      AND (t.member_id = ANY(${people}::uuid[]) OR t.substitute_id = ${member.id})`;
    const [other] = (await tx.list(ApprovalSubstitute, {}, overlapping)) as (ApprovalSubstitute | undefined)[];
    if (!other) return;
    const days = `from ${other.starts_on} to ${other.ends_on}`;
    const reject = (param: string, message: string) => CommonErrors.validationFailed({ param, message });
    if (other.member_id === member.id)
      throw reject('starts_on', `starts_on is in a time, ${days}, for which ${member.email} already has a substitute; end that first`);
    if (other.member_id === substitute.id) throw reject('substitute_email', `substitute_email is away ${days}; choose somebody else`);
    throw reject('starts_on', `starts_on is in a time, ${days}, in which ${member.email} is a substitute and cannot have one`);
  }

  /** The caller without an address. */
  private async approver(ctx: Ctx, param: string, email: string | null): Promise<Member> {
    const member = email === null ? (await this.members.byIds(ctx, [ctx.memberId as string]))[0] : await this.members.byEmail(ctx, email);
    if (member && mayApprove(member)) return member;
    throw CommonErrors.validationFailed({ param, message: `${param} must be an active member who may approve documents` });
  }

  private async memberOf(ctx: Ctx, rows: readonly ApprovalSubstitute[]): Promise<(id: string) => Member> {
    const ids = new Set(rows.flatMap(({ member_id, substitute_id }) => [member_id, substitute_id]));
    const members = new Map((await this.members.byIds(ctx, [...ids])).map((member) => [member.id, member]));
    return (id) => members.get(id) as Member;
  }
}
