import { Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import { CommonErrors, own, plusDays, sql, table, type Actor, type Ctx, type SqlReader, type Tx } from '../../../kit/index.js';
import { HrErrors } from '../model/hr.errors.js';
import { LeaveAccount } from '../model/leave-account.entity.js';
import { LedgerEntry } from '../model/ledger-entry.entity.js';
import { LeaveType } from '../model/leave-type.entity.js';
import type { EntryKind } from '../model/values.js';
import { allocate } from './allocation.js';
import { daysOf, hundredths, SYSTEM } from './leave-accounts.js';
import { booksOf, missingEntries, nextExpiry, type CarryOver, type Entry } from './settlement.js';

/** An entry to post; `days` is a decimal. */
export interface NewEntry extends Omit<Entry, 'amount'> {
  amount: number;
  request_id?: string;
  note?: string | null;
}

interface Posted {
  kind: EntryKind;
  on: string;
  days: string;
  expires_on: string | null;
  lot_on: string | null;
  automatic: boolean;
}

/** Requested leave: hundredths of a day, by day. */
export type RequestedLeave = ReadonlyMap<string, number>;

const HALF = 50;
/** After all days. */
const FAR = '9999-12-31';

/** Reads and posts entries of one account, under its lock. */
@Injectable()
export class LeaveLedger {
  /** The account of an employee and a type, locked; created if the employee or the type is new. */
  async lock(tx: Tx, employee: { id: string; project_id: string }, type: { id: string }): Promise<LeaveAccount> {
    const where = { employee_id: employee.id, leave_type_id: type.id };
    const [found] = await tx.lockWhere(LeaveAccount, where);
    if (found) return found;
    await tx.sql(
      sql`INSERT INTO ${table(LeaveAccount)} (id, organization_id, mode, project_id, employee_id, leave_type_id)
        VALUES (${uuidv7()}, ${own.organization}, ${own.mode}, ${employee.project_id}, ${employee.id}, ${type.id})
        ON CONFLICT (employee_id, leave_type_id) DO NOTHING`,
    );
    const [created] = await tx.lockWhere(LeaveAccount, where);
    if (!created) throw CommonErrors.notFound();
    return created;
  }

  /**
   * Throws 409 `insufficient_leave` if the balance does not cover the days in addition to all approved leave and, if requested, pending
   * leave. Days that expire before the leave do not count.
   */
  async requireCovered(
    tx: Tx,
    account: LeaveAccount,
    type: LeaveType,
    days: RequestedLeave,
    withPending: readonly RequestedLeave[],
  ): Promise<void> {
    if (type.allow_negative) return;
    const { grants, uses } = booksOf(await this.entries(tx, account));
    for (const pending of withPending) uses.push(...usesOf(pending));
    const before = allocate(grants, uses);
    const overdrawn = (more: RequestedLeave) => allocate(grants, [...uses, ...usesOf(more)]).overdrawn;
    if (overdrawn(days) <= before.overdrawn) return;
    const available = daysOf(availableFor(days, (part) => overdrawn(part) <= before.overdrawn));
    throw HrErrors.insufficientLeave({
      message: `The balance is not sufficient: ${available} of these days are available.`,
      extra: { available },
    });
  }

  /** Posts the difference between the uses of a request so far and its days now; no days if the leave was cancelled. */
  async useFor(ctx: Ctx, tx: Tx, account: LeaveAccount, requestId: string, days: RequestedLeave): Promise<void> {
    const rows = await tx.sql<{ on: string; days: string }>(
      sql`SELECT l."on"::text AS on, sum(l.days)::text AS days FROM ${table(LedgerEntry)} l
        WHERE ${own('l')} AND l.account_id = ${account.id} AND l.request_id = ${requestId} GROUP BY 1`,
    );
    const used = new Map(rows.map((row) => [row.on, -hundredths(row.days)]));
    const entries: NewEntry[] = [];
    for (const on of [...new Set([...days.keys(), ...used.keys()])].sort()) {
      const amount = (used.get(on) ?? 0) - (days.get(on) ?? 0);
      if (amount !== 0) entries.push({ kind: 'use', on, amount, expires_on: null, lot_on: null, automatic: true, request_id: requestId });
    }
    await this.post(tx, account, entries, ctx.actor);
  }

  async post(tx: Tx, account: LeaveAccount, entries: readonly NewEntry[], by: Actor): Promise<string[]> {
    if (entries.length === 0) return [];
    const ids = entries.map(() => uuidv7());
    await tx.sql(
      sql`INSERT INTO ${table(LedgerEntry)} (organization_id, mode, project_id, account_id, employee_id, leave_type_id, created_by,
          id, kind, "on", days, expires_on, lot_on, request_id, automatic, note)
        SELECT ${own.organization}, ${own.mode}, ${account.project_id}, ${account.id}, ${account.employee_id}, ${account.leave_type_id},
          ${JSON.stringify(by)}, n.*
        FROM unnest(${ids}::uuid[], ${entries.map(({ kind }) => kind)}::text[], ${entries.map(({ on }) => on)}::date[],
          ${entries.map(({ amount }) => daysOf(amount))}::numeric[], ${entries.map(({ expires_on }) => expires_on)}::date[],
          ${entries.map(({ lot_on }) => lot_on)}::date[], ${entries.map(({ request_id }) => request_id ?? null)}::uuid[],
          ${entries.map(({ automatic }) => automatic)}::boolean[], ${entries.map(({ note }) => note ?? null)}::text[])
          AS n (id, kind, "on", days, expires_on, lot_on, request_id, automatic, note)`,
    );
    return ids;
  }

  /** Posts expiries before `today` and carry-overs, and corrects them after leave in the past has changed. */
  async settle(tx: Tx, account: LeaveAccount, type: LeaveType, today: string): Promise<LeaveAccount> {
    const entries = await this.entries(tx, account);
    const missing = missingEntries(entries, carryOverOf(type), today);
    await this.post(tx, account, missing, SYSTEM);
    // days that expire today can still be taken
    return tx.advanced.touch(account, { next_expiry_on: nextExpiry([...entries, ...missing], plusDays(today, -1), FAR) });
  }

  private async entries(tx: Tx, account: LeaveAccount): Promise<Entry[]> {
    return (await readEntries(tx, [account.id])).get(account.id) ?? [];
  }
}

/** The entries of accounts, in the order of their days. */
export async function readEntries(reader: SqlReader, accountIds: readonly string[]): Promise<Map<string, Entry[]>> {
  const rows = await reader.sql<Posted & { account_id: string }>(
    sql`SELECT l.account_id, l.kind, l."on"::text AS on, l.days::text AS days, l.expires_on::text AS expires_on, l.lot_on::text AS lot_on,
        l.automatic
      FROM ${table(LedgerEntry)} l WHERE ${own('l')} AND l.account_id = ANY(${accountIds}) ORDER BY l.account_id, l."on", l.id`,
  );
  const byAccount = Map.groupBy(rows, ({ account_id }) => account_id);
  return new Map(
    [...byAccount].map(([id, entries]) => [
      id,
      entries.map(({ days, account_id: _, ...entry }) => ({ ...entry, amount: hundredths(days) })),
    ]),
  );
}

export function carryOverOf({ carry_over_days, carry_over_expires }: LeaveType): CarryOver {
  return { limit: carry_over_days === null ? null : hundredths(carry_over_days), expires: carry_over_expires };
}

function usesOf(days: RequestedLeave): { on: string; amount: number }[] {
  return [...days].map(([on, amount]) => ({ on, amount }));
}

/** How many of the days are covered, from the first one on. */
function availableFor(days: RequestedLeave, isCovered: (part: RequestedLeave) => boolean): number {
  const part = new Map<string, number>();
  let covered = 0;
  for (const [on, amount] of days) {
    for (let taken = HALF; taken <= amount; taken += HALF) {
      part.set(on, taken);
      if (!isCovered(part)) return covered;
      covered += HALF;
    }
  }
  return covered;
}
