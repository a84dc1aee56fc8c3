import { Injectable } from '@nestjs/common';
import { own, sql, Store, table, type Ctx, type Sql } from '../../../kit/index.js';
import { LedgerAccount, type AccountType } from '../model/account.entity.js';
import { AccountingPeriod } from '../model/period.entity.js';
import { JournalLineRow, MonthBalanceRow } from '../model/sql-rows.entity.js';

/** The sums posted to an account up to a day, in the base currency. */
export interface AccountBalance {
  id: string;
  code: string;
  name: string;
  type: AccountType;
  debit: bigint;
  credit: bigint;
}

/**
 * The balances of the last closed month before the day plus the lines since, so the cost depends on the open months only. Test mode has
 * no stored balances, because a purge may delete its rows at any time.
 */
function balances(projectId: string, day: string): Sql {
  return sql`
    SELECT a.id, a.code, a.name, a.type, (COALESCE(b.debit_amount, 0) + COALESCE(s.debit, 0))::text AS debit,
      (COALESCE(b.credit_amount, 0) + COALESCE(s.credit, 0))::text AS credit
    FROM (SELECT max(m.month) AS month FROM ${table(AccountingPeriod)} m
          WHERE ${own('m')} AND m.project_id = ${projectId} AND m.status = 'closed' AND ${own.mode} = 'live'
            AND m.month + interval '1 month' <= ${day}::date + 1) c
    CROSS JOIN ${table(LedgerAccount)} a
    LEFT JOIN ${table(MonthBalanceRow)} b ON b.project_id = a.project_id AND b.account_id = a.id AND b.month = c.month
    LEFT JOIN LATERAL (
      SELECT sum(l.base_debit_amount) AS debit, sum(l.base_credit_amount) AS credit FROM ${table(JournalLineRow)} l
      WHERE l.project_id = a.project_id AND l.account_id = a.id AND l.mode = ${own.mode}
        AND l.posted_on >= COALESCE((c.month + interval '1 month')::date, '-infinity') AND l.posted_on <= ${day}::date
    ) s ON true
    WHERE ${own('a')} AND a.project_id = ${projectId} ORDER BY a.code, a.id`;
}

@Injectable()
export class AccountBalances {
  constructor(private readonly store: Store) {}

  /** Of all accounts of the project, by code. */
  async upTo(ctx: Ctx, projectId: string, day: string): Promise<AccountBalance[]> {
    const rows = await this.store.reader(ctx).sql<AccountBalance & { debit: string; credit: string }>(balances(projectId, day));
    return rows.map((row) => ({ ...row, debit: BigInt(row.debit), credit: BigInt(row.credit) }));
  }
}
