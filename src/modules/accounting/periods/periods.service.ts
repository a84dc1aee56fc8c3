import { Injectable } from '@nestjs/common';
import {
  changedFrom,
  CommonErrors,
  own,
  Projects,
  sql,
  Store,
  table,
  type Ctx,
  type Page,
  type Sql,
  type Tx,
  realTime,
} from '../../../kit/index.js';
import { LedgerAccount } from '../model/account.entity.js';
import { AccountingErrors } from '../model/accounting.errors.js';
import { endOfMonth, monthOf, requireBookDay } from '../model/days.js';
import { AccountingPeriod, type PeriodStatus } from '../model/period.entity.js';
import { JournalLineRow, MonthBalanceRow } from '../model/sql-rows.entity.js';
import { AccountingPeriodDto, type CreatePeriodDto, type PeriodsQuery } from './periods.dto.js';
import { PeriodEvents } from './periods.events.js';

/** Entries in a month that has none yet take the same lock, in `accounting_take_period`. */
const lock = (projectId: string) => sql`SELECT accounting_lock_periods(${projectId})`;

/** Writes the balances at the end of a month: the balances of the previous closed month plus the live lines since. */
function writeBalances(projectId: string, month: string, before: string | null): Sql {
  const since = before === null ? '0001-01-01' : endOfMonth(before);
  return sql`
    INSERT INTO ${table(MonthBalanceRow)} (organization_id, project_id, month, account_id, debit_amount, credit_amount)
    SELECT a.organization_id, a.project_id, ${month}, a.id, COALESCE(b.debit_amount, 0) + COALESCE(s.debit, 0),
      COALESCE(b.credit_amount, 0) + COALESCE(s.credit, 0)
    FROM ${table(LedgerAccount)} a
    LEFT JOIN ${table(MonthBalanceRow)} b ON b.project_id = a.project_id AND b.account_id = a.id AND b.month = ${before}
    LEFT JOIN LATERAL (
      SELECT sum(l.base_debit_amount) AS debit, sum(l.base_credit_amount) AS credit FROM ${table(JournalLineRow)} l
      WHERE l.project_id = a.project_id AND l.account_id = a.id AND l.mode = 'live' AND l.posted_on > ${since}
        AND l.posted_on <= ${endOfMonth(month)}
    ) s ON true
    WHERE ${own('a')} AND a.project_id = ${projectId} AND (b.account_id IS NOT NULL OR s.debit IS NOT NULL)`;
}

/** Months, which are closed in chronological order and reopened in reverse order. */
@Injectable()
export class Periods {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
  ) {}

  page(ctx: Ctx, query: PeriodsQuery): Promise<Page<AccountingPeriod>> {
    return this.store.page(ctx, AccountingPeriod, query);
  }

  async create(ctx: Ctx, { project_id, month }: CreatePeriodDto): Promise<AccountingPeriod> {
    requireBookDay('month', month);
    const project = await this.projects.resolve(ctx, project_id);
    return this.store.write(ctx, async (tx) => {
      await tx.sql(lock(project.id));
      await this.requireNone(
        tx,
        project.id,
        (other) => other.month > monthOf(month) && other.status === 'closed',
        'A later month is closed.',
      );
      const values = { project_id: project.id, month: monthOf(month), status: 'open' as const, closed_at: null, closed_by: null };
      return tx.insert(AccountingPeriod, values);
    });
  }

  /** Writes the balances of the month, so that reports need not read its lines again. */
  close(ctx: Ctx, id: string): Promise<AccountingPeriod> {
    return this.change(ctx, id, 'closed', async (tx, { project_id, month }, apply) => {
      const periods = await this.requireNone(
        tx,
        project_id,
        (other) => other.month < month && other.status === 'open',
        'An earlier month is open; close it first.',
      );
      const before = periods.filter((other) => other.month < month).at(-1)?.month ?? null;
      // balances of a closed month cannot be written
      await tx.sql(writeBalances(project_id, month, before));
      return apply();
    });
  }

  reopen(ctx: Ctx, id: string): Promise<AccountingPeriod> {
    return this.change(ctx, id, 'open', async (tx, { project_id, month }, apply) => {
      const isLaterClosed = (other: AccountingPeriod) => other.month > month && other.status === 'closed';
      await this.requireNone(tx, project_id, isLaterClosed, 'A later month is closed; reopen it first.');
      const reopened = await apply();
      await tx.sql(sql`DELETE FROM ${table(MonthBalanceRow)} b WHERE ${own('b')} AND b.project_id = ${project_id} AND b.month = ${month}`);
      return reopened;
    });
  }

  /** Waits for concurrent postings in the month, which hold its row FOR SHARE. Does nothing if it has the status already. */
  private async change(
    ctx: Ctx,
    id: string,
    to: PeriodStatus,
    change: (tx: Tx, period: AccountingPeriod, apply: () => Promise<AccountingPeriod>) => Promise<AccountingPeriod>,
  ): Promise<AccountingPeriod> {
    const { project_id } = await this.store.get(ctx, AccountingPeriod, id);
    return this.store.write(ctx, async (tx) => {
      await tx.sql(lock(project_id));
      const period = await tx.target(AccountingPeriod, id);
      if (period.status === to) return period;
      // both modes have the same periods: the real time counts
      const closing = { status: to, closed_at: to === 'closed' ? realTime() : null, closed_by: to === 'closed' ? ctx.actor : null };
      const changed = await change(tx, period, () => tx.update(period, closing));
      const object = AccountingPeriodDto.from(changed);
      tx.emit(PeriodEvents.periodStatusChanged, {
        object,
        previous: changedFrom(AccountingPeriodDto.from(period), object),
        context: { from: period.status, to, trigger: to === 'closed' ? 'close' : 'reopen' },
        projectId: project_id,
      });
      return changed;
    });
  }

  /** The project's months in order; throws if one of them prevents the change. */
  private async requireNone(
    tx: Tx,
    project_id: string,
    isInTheWay: (period: AccountingPeriod) => boolean,
    message: string,
  ): Promise<AccountingPeriod[]> {
    const periods = (await tx.list(AccountingPeriod, { project_id })).sort((a, b) => (a.month < b.month ? -1 : 1));
    // months are closed starting with the earliest and reopened starting with the latest
    const obstacle = periods.find((period) => isInTheWay(period) && period.status === 'open') ?? periods.findLast(isInTheWay);
    if (!obstacle) return periods;
    const error = obstacle.status === 'closed' ? AccountingErrors.periodClosed : CommonErrors.resourceConflict;
    throw error({ message: `${message} It is ${obstacle.month.slice(0, 7)}.`, extra: { month: obstacle.month } });
  }
}
