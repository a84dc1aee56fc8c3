import {
  dayIn,
  Projects,
  ScheduledJob,
  Store,
  type Ctx,
  type DueQuery,
  type DueRow,
  type ScheduledJobHandler,
} from '../../../kit/index.js';
import { LeaveAccounts } from '../balances/leave-accounts.js';
import { LeaveLedger } from '../balances/leave-ledger.js';
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

  due(): DueQuery {
    return {
      sql: `SELECT p.id, p.organization_id, p.id AS project_id, 'live' AS mode FROM projects p
            WHERE EXISTS (SELECT 1 FROM hr_employees e WHERE e.project_id = p.id AND e.status <> 'left')`,
      values: [],
    };
  }

  async handle(ctx: Ctx, { project_id }: DueRow, now: Date): Promise<void> {
    const { id, timezone } = await this.projects.get(ctx, project_id as string);
    await this.store.write(ctx, (tx) => this.accounts.complete(ctx, tx, id, dayIn(timezone, now)));
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

  due(now: Date): DueQuery {
    return {
      sql: `SELECT a.id, a.organization_id, a.project_id, a.mode FROM hr_leave_accounts a JOIN projects p ON p.id = a.project_id
            WHERE a.next_expiry_on < ($1::timestamptz AT TIME ZONE 'UTC')::date + 1
              AND a.next_expiry_on < ($1::timestamptz AT TIME ZONE p.timezone)::date`,
      values: [now],
    };
  }

  async handle(ctx: Ctx, { id, project_id }: DueRow, now: Date): Promise<void> {
    const { timezone } = await this.projects.get(ctx, project_id as string);
    const today = dayIn(timezone, now);
    await this.store.write(ctx, async (tx) => {
      const account = await tx.lock(LeaveAccount, id);
      if (account.next_expiry_on === null || account.next_expiry_on >= today) return;
      await this.ledger.settle(ctx, tx, account, await tx.get(LeaveType, account.leave_type_id), today);
    });
  }
}
