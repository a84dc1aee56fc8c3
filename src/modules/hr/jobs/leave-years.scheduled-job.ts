import {
  dayIn,
  projectDay,
  Projects,
  projectsWith,
  ScheduledJob,
  sql,
  Store,
  table,
  type Ctx,
  type DueRow,
  type ScheduledJobHandler,
  type Sql,
} from '../../../kit/index.js';
import { LeaveAccounts } from '../balances/leave-accounts.js';
import { LeaveLedger } from '../balances/leave-ledger.js';
import { Employee } from '../model/employee.entity.js';
import { LeaveAccount } from '../model/leave-account.entity.js';
import { LeaveType } from '../model/leave-type.entity.js';

/** Grants the leave of this year and the next to all employees of a project, in both modes. */
@ScheduledJob({
  name: 'hr.grant_leave',
  everySeconds: 24 * 60 * 60,
})
export class GrantLeave implements ScheduledJobHandler {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly accounts: LeaveAccounts,
  ) {}

  due(): Sql {
    return projectsWith(Employee, sql`r.status <> 'left'`);
  }

  async handle(ctx: Ctx, { project_id }: DueRow, now: Date): Promise<void> {
    const { id, timezone } = await this.projects.get(ctx, project_id as string);
    await this.store.write(ctx, (tx) => this.accounts.complete(tx, id, dayIn(timezone, now)));
  }
}

/** Posts expiries and carry-overs. */
@ScheduledJob({
  name: 'hr.expire_leave',
  everySeconds: 900,
})
export class ExpireLeave implements ScheduledJobHandler {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly ledger: LeaveLedger,
  ) {}

  due(now: Date): Sql {
    return sql.unscoped('due rows of all organizations')`
      SELECT a.id, a.organization_id, a.project_id, a.mode FROM ${table(LeaveAccount)} a
      WHERE a.next_expiry_on < (${now}::timestamptz AT TIME ZONE 'UTC')::date + 1 AND a.next_expiry_on < ${projectDay('a', now)}`;
  }

  async handle(ctx: Ctx, { id, project_id }: DueRow, now: Date): Promise<void> {
    const { timezone } = await this.projects.get(ctx, project_id as string);
    const today = dayIn(timezone, now);
    await this.store.write(ctx, async (tx) => {
      const account = await tx.lock(LeaveAccount, id);
      if (account.next_expiry_on === null || account.next_expiry_on >= today) return;
      await this.ledger.settle(tx, account, await tx.get(LeaveType, account.leave_type_id), today);
    });
  }
}
