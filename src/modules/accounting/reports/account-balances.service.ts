import { Injectable } from '@nestjs/common';
import { Store, sql, type Ctx } from '../../../kit/index.js';
import type { AccountType } from '../model/account.entity.js';

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
const BALANCES = `
  SELECT a.id, a.code, a.name, a.type, (COALESCE(b.debit_amount, 0) + COALESCE(s.debit, 0))::text AS debit,
    (COALESCE(b.credit_amount, 0) + COALESCE(s.credit, 0))::text AS credit
  FROM (SELECT max(month) AS month FROM accounting_periods
        WHERE organization_id = $1 AND project_id = $2 AND status = 'closed' AND $3 = 'live'
          AND month + interval '1 month' <= $4::date + 1) c
  CROSS JOIN accounting_accounts a
  LEFT JOIN accounting_balances b ON b.project_id = a.project_id AND b.account_id = a.id AND b.month = c.month
  LEFT JOIN LATERAL (
    SELECT sum(l.base_debit_amount) AS debit, sum(l.base_credit_amount) AS credit FROM accounting_journal_lines l
    WHERE l.project_id = a.project_id AND l.account_id = a.id AND l.mode = $3
      AND l.posted_on >= COALESCE((c.month + interval '1 month')::date, '-infinity') AND l.posted_on <= $4::date
  ) s ON true
  WHERE a.organization_id = $1 AND a.project_id = $2 ORDER BY a.code, a.id`;

@Injectable()
export class AccountBalances {
  constructor(private readonly store: Store) {}

  /** Of all accounts of the project, by code. */
  async upTo(ctx: Ctx, projectId: string, day: string): Promise<AccountBalance[]> {
    const values = [ctx.organizationId, projectId, ctx.mode, day];
    const rows = await this.store.reader(ctx).query<AccountBalance & { debit: string; credit: string }>(sql.legacy(BALANCES, values));
    return rows.map((row) => ({ ...row, debit: BigInt(row.debit), credit: BigInt(row.credit) }));
  }
}
