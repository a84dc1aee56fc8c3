import { Injectable } from '@nestjs/common';
import { Store, sql, type Ctx, type Decimal, type Tx } from '../../../kit/index.js';
import { AccountingErrors } from '../model/accounting.errors.js';
import { monthOf } from '../model/days.js';
import { JournalEntry, type EntrySource, type JournalLine } from '../model/journal-entry.entity.js';
import { JournalEntryDto } from './journal-entries.dto.js';
import { JournalEntryEvents } from './journal-entries.events.js';
import { reversed } from './posting.js';

/** An entry to post; its lines balance. */
export interface NewEntry {
  project_id: string;
  on: string;
  memo: string;
  currency: string;
  exchange_rate: Decimal;
  lines: readonly JournalLine[];
  source_type: EntrySource;
  source_id: string | null;
  reverses_id?: string | null;
  external_id?: string | null;
  /** From `nextNumber`; the next one if absent. */
  number?: string | null;
}

const INSERT_LINES = `
  INSERT INTO accounting_journal_lines (entry_id, position, organization_id, project_id, mode, posted_on, account_id,
    debit_amount, credit_amount, base_debit_amount, base_credit_amount, customer_id, memo)
  SELECT $1, l.position, $2, $3, $4, $5, l.account_id, l.debit, l.credit, l.base_debit, l.base_credit, l.customer_id, l.memo
  FROM unnest($6::uuid[], $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::uuid[], $12::text[])
    WITH ORDINALITY AS l (account_id, debit, credit, base_debit, base_credit, customer_id, memo, position)`;

const CHECK_OPEN = `SELECT raise_stale_row() WHERE accounting_take_period($1, $2, $3) = 'closed'`;

/** Posts entries. The database ensures that they balance, that their month is open, and that they never change. */
@Injectable()
export class Ledger {
  constructor(private readonly store: Store) {}

  /** Locks the month of a day against closing until the end of the transaction; `period_closed` if it is closed. */
  async requireOpen(ctx: Ctx, tx: Tx, projectId: string, day: string, param = 'on'): Promise<void> {
    if (await this.isOpen(ctx, tx, projectId, day)) return;
    throw AccountingErrors.periodClosed({
      param,
      message: `${param} is ${day}, which is in a closed month; use a date in an open month.`,
      extra: { month: monthOf(day) },
    });
  }

  /** The same for what is always dated today. */
  async requireOpenToday(ctx: Ctx, tx: Tx, projectId: string, today: string): Promise<void> {
    if (await this.isOpen(ctx, tx, projectId, today)) return;
    throw AccountingErrors.periodClosed({
      message: `This is dated today, ${today}, which is in a closed month; ask a member to reopen it.`,
      extra: { month: monthOf(today) },
    });
  }

  /** `requireOpen` for an optimistic change, which runs again if the month is closed. */
  checkOpen(ctx: Ctx, tx: Tx, projectId: string, day: string): void {
    tx.check(sql.legacy(CHECK_OPEN, [ctx.organizationId, projectId, day]));
  }

  /** Like `requireOpen`, but it does not throw. */
  async isOpen(ctx: Ctx, tx: Tx, projectId: string, day: string): Promise<boolean> {
    const values = [ctx.organizationId, projectId, day];
    const [{ status }] = await tx.query<{ status: string }>(sql.legacy('SELECT accounting_take_period($1, $2, $3) AS status', values));
    return status === 'open';
  }

  async nextNumber(ctx: Ctx, tx: Tx, projectId: string): Promise<string> {
    const number = await tx.next('accounting entry', projectId);
    return `${ctx.mode === 'test' ? 'TEST-' : ''}JE-${String(number).padStart(6, '0')}`;
  }

  /** Call `requireOpen` or `checkOpen` before. Writes without waiting for the database. */
  async post(ctx: Ctx, tx: Tx, { lines, reverses_id = null, external_id = null, ...values }: NewEntry): Promise<JournalEntry> {
    const { project_id, on } = values;
    const entry = await tx.insert(
      JournalEntry,
      {
        ...values,
        number: values.number ?? (await this.nextNumber(ctx, tx, project_id)),
        reverses_id,
        external_id,
        line_count: lines.length,
        account_ids: [...new Set(lines.map(({ account_id }) => account_id))],
        created_by: ctx.actor,
      },
      { pipelined: true },
    );
    tx.send(
      sql.legacy(INSERT_LINES, [
        entry.id,
        ctx.organizationId,
        project_id,
        ctx.mode,
        on,
        lines.map((line) => line.account_id),
        lines.map((line) => line.debit_amount),
        lines.map((line) => line.credit_amount),
        lines.map((line) => line.base_debit_amount),
        lines.map((line) => line.base_credit_amount),
        lines.map((line) => line.customer_id),
        lines.map((line) => line.memo),
      ]),
    );
    tx.emit(JournalEntryEvents.journalEntryPosted, { object: JournalEntryDto.from(entry, lines), projectId: project_id });
    return entry;
  }

  /** Posts the reversal of an entry. `already_reversed` if there is one. */
  async reverse(ctx: Ctx, tx: Tx, id: string, on: string, memo: string): Promise<{ entry: JournalEntry; lines: JournalLine[] }> {
    const original = await this.store.get(ctx, JournalEntry, id);
    const { project_id, currency, exchange_rate, source_type, source_id, reversed_by_id } = original;
    if (reversed_by_id) throw AccountingErrors.alreadyReversed({ extra: { reversed_by_id } });
    const lines = reversed(original.lines ?? []);
    const values = { project_id, on, memo, currency, exchange_rate, lines, source_type, source_id, reverses_id: id };
    return { entry: await this.post(ctx, tx, values), lines };
  }
}
