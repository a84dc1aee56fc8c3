import { Injectable } from '@nestjs/common';
import {
  listBody,
  own,
  projectDay,
  sql,
  Store,
  table,
  type Condition,
  type Ctx,
  type ListBody,
  type ListQuery,
} from '../../../kit/index.js';
import { requireHrDay } from '../model/days.js';
import { LeaveRequest } from '../model/leave-request.entity.js';
import { LedgerEntry } from '../model/ledger-entry.entity.js';
import { LeaveAccount } from '../model/leave-account.entity.js';
import { LeaveBalanceDto, type BalanceFigures } from './balances.dto.js';
import { LeaveType } from '../model/leave-type.entity.js';
import { daysOf, hundredths } from './leave-accounts.js';
import { carryOverOf, readEntries } from './leave-ledger.js';
import { missingEntries, type Entry } from './settlement.js';

type Sums = Record<'granted' | 'carried_over' | 'expired' | 'taken' | 'planned' | 'pending', string> & { id: string; as_of: string };

/** An expiry on January 1 belongs to the year before, so the expired days do not count as carried over. */
const figures = (ids: readonly string[], asOf: string | null) => sql`
  SELECT a.id, d.as_of::text AS as_of,
    COALESCE(sum(l.days) FILTER (WHERE l.kind IN ('grant', 'adjustment') AND l."on" >= d.first AND l."on" <= d.as_of), 0)::text AS granted,
    COALESCE(sum(l.days) FILTER (WHERE l."on" < d.first OR (l.kind = 'carry_over' AND l."on" <= d.as_of)
      OR (l.kind = 'expiry' AND l."on" = d.first)), 0)::text AS carried_over,
    COALESCE(-sum(l.days) FILTER (WHERE l.kind = 'expiry' AND l."on" > d.first AND l."on" <= d.as_of), 0)::text AS expired,
    COALESCE(-sum(l.days) FILTER (WHERE l.kind = 'use' AND l."on" >= d.first AND l."on" <= d.as_of), 0)::text AS taken,
    COALESCE(-sum(l.days) FILTER (WHERE l.kind = 'use' AND l."on" > d.as_of), 0)::text AS planned,
    (SELECT COALESCE(sum(r.days), 0) FROM ${table(LeaveRequest)} r WHERE ${own('r')} AND r.employee_id = a.employee_id
      AND r.leave_type_id = a.leave_type_id
      AND r.status = 'pending' AND r.starts_on BETWEEN d.first AND d.last)::text AS pending
  FROM ${table(LeaveAccount)} a
    CROSS JOIN LATERAL (SELECT COALESCE(${asOf}::date, ${projectDay('a')}) AS as_of) n
    CROSS JOIN LATERAL (SELECT n.as_of, date_trunc('year', n.as_of)::date AS first,
      (date_trunc('year', n.as_of) + interval '1 year' - interval '1 day')::date AS last) d
    LEFT JOIN ${table(LedgerEntry)} l ON l.account_id = a.id AND l."on" <= d.last
  WHERE a.id = ANY(${ids}) AND ${own('a')}
  GROUP BY a.id, d.as_of, d.first, d.last`;

/** Balances: sums of the ledger, computed for the accounts of a page. */
@Injectable()
export class Balances {
  constructor(private readonly store: Store) {}

  async page(
    ctx: Ctx,
    query: ListQuery & { as_of?: string },
    ...conditions: Condition<LeaveAccount>[]
  ): Promise<ListBody<LeaveBalanceDto>> {
    requireHrDay('as_of', query.as_of);
    const page = await this.store.page(ctx, LeaveAccount, query, ...conditions);
    const figures = await this.figuresOf(ctx, page.data, query.as_of);
    return listBody(page, (account) => LeaveBalanceDto.from(account, figures.get(account.id) as BalanceFigures, ctx));
  }

  private async figuresOf(ctx: Ctx, accounts: readonly LeaveAccount[], asOf: string | undefined): Promise<Map<string, BalanceFigures>> {
    if (accounts.length === 0) return new Map();
    const reader = this.store.reader(ctx);
    const rows = await reader.sql<Sums>(
      figures(
        accounts.map(({ id }) => id),
        asOf ?? null,
      ),
    );
    const foreseen = await this.foreseen(ctx, accounts, new Map(rows.map(({ id, as_of }) => [id, as_of])));
    return new Map(rows.map(({ id, ...sums }) => [id, figuresOf(sums, foreseen.get(id) ?? [])]));
  }

  /** Expiries and carry-overs up to the day that are not posted yet. */
  private async foreseen(ctx: Ctx, accounts: readonly LeaveAccount[], days: ReadonlyMap<string, string>): Promise<Map<string, Entry[]>> {
    const expiring = accounts.filter(({ id, next_expiry_on }) => next_expiry_on !== null && next_expiry_on < (days.get(id) as string));
    if (expiring.length === 0) return new Map();
    const typeIds = [...new Set(expiring.map(({ leave_type_id }) => leave_type_id))];
    const [types, entries] = await Promise.all([
      this.store.list(ctx, LeaveType, { id: typeIds }),
      readEntries(
        this.store.reader(ctx),
        expiring.map(({ id }) => id),
      ),
    ]);
    const carryOver = new Map(types.map((type) => [type.id, carryOverOf(type)]));
    return new Map(
      expiring.map(({ id, leave_type_id }) => {
        const rule = carryOver.get(leave_type_id) ?? { limit: null, expires: null };
        return [id, missingEntries(entries.get(id) ?? [], rule, days.get(id) as string)];
      }),
    );
  }
}

function figuresOf({ as_of, ...sums }: Omit<Sums, 'id'>, foreseen: readonly Entry[]): BalanceFigures {
  const amounts = Object.fromEntries(Object.entries(sums).map(([name, days]) => [name, hundredths(days)])) as Record<
    keyof typeof sums,
    number
  >;
  const first = `${as_of.slice(0, 4)}-01-01`;
  for (const { kind, on, amount } of foreseen) {
    if (on <= first || kind === 'carry_over') amounts.carried_over += amount;
    else amounts.expired -= amount;
  }
  const { granted, carried_over, expired, taken, planned, pending } = amounts;
  const available = granted + carried_over - expired - taken - planned - pending;
  return {
    as_of,
    granted: daysOf(granted),
    carried_over: daysOf(carried_over),
    expired: daysOf(expired),
    taken: daysOf(taken),
    planned: daysOf(planned),
    pending: daysOf(pending),
    available: daysOf(available),
  };
}
