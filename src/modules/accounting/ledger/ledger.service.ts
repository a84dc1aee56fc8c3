import { Injectable } from '@nestjs/common';
import { own, sql, Store, table, type Ctx, type Decimal, type Tx } from '../../../kit/index.js';
import { AccountingErrors } from '../model/accounting.errors.js';
import { monthOf } from '../model/days.js';
import { JournalEntry, type EntrySource, type JournalLine } from '../model/journal-entry.entity.js';
import { JournalLineRow } from '../model/sql-rows.entity.js';
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

const takePeriod = (projectId: string, day: string) => sql`accounting_take_period(${own.organization}, ${projectId}, ${day})`;

/** Posts entries. The database ensures that they balance, that their month is open, and that they never change. */
@Injectable()
export class Ledger {
  constructor(private readonly store: Store) {}

  /** Locks the month of a day against closing until the end of the transaction; `period_closed` if it is closed. */
  async requireOpen(tx: Tx, projectId: string, day: string, param = 'on'): Promise<void> {
    if (await this.isOpen(tx, projectId, day)) return;
    throw AccountingErrors.periodClosed({
      param,
      message: `${param} is ${day}, which is in a closed month; use a date in an open month.`,
      extra: { month: monthOf(day) },
    });
  }

  /** The same for what is always dated today. */
  async requireOpenToday(tx: Tx, projectId: string, today: string): Promise<void> {
    if (await this.isOpen(tx, projectId, today)) return;
    throw AccountingErrors.periodClosed({
      message: `This is dated today, ${today}, which is in a closed month; ask a member to reopen it.`,
      extra: { month: monthOf(today) },
    });
  }

  /** Like `requireOpen`, but it does not throw. */
  async isOpen(tx: Tx, projectId: string, day: string): Promise<boolean> {
    const [{ status }] = await tx.sql<{ status: string }>(sql`SELECT ${takePeriod(projectId, day)} AS status`);
    return status === 'open';
  }

  async nextNumber(ctx: Ctx, tx: Tx, projectId: string): Promise<string> {
    const number = await tx.next('accounting entry', projectId);
    return `${ctx.mode === 'test' ? 'TEST-' : ''}JE-${String(number).padStart(6, '0')}`;
  }

  /** Call `requireOpen` before. Writes without waiting for the database. */
  async post(ctx: Ctx, tx: Tx, { lines, reverses_id = null, external_id = null, ...values }: NewEntry): Promise<JournalEntry> {
    const { project_id, on } = values;
    const entry = await tx.advanced.pipelined.insert(JournalEntry, {
      ...values,
      number: values.number ?? (await this.nextNumber(ctx, tx, project_id)),
      reverses_id,
      external_id,
      line_count: lines.length,
      account_ids: [...new Set(lines.map(({ account_id }) => account_id))],
      created_by: ctx.actor,
    });
    const column = <K extends keyof JournalLine>(name: K) => lines.map((line) => line[name]);
    tx.advanced.pipelined.sql(
      sql`INSERT INTO ${table(JournalLineRow)} (entry_id, position, organization_id, project_id, mode, posted_on, account_id,
          debit_amount, credit_amount, base_debit_amount, base_credit_amount, customer_id, memo)
        SELECT ${entry.id}, l.position, ${own.organization}, ${project_id}, ${own.mode}, ${on}, l.account_id, l.debit, l.credit,
          l.base_debit, l.base_credit, l.customer_id, l.memo
        FROM unnest(${column('account_id')}::uuid[], ${column('debit_amount')}::bigint[], ${column('credit_amount')}::bigint[],
          ${column('base_debit_amount')}::bigint[], ${column('base_credit_amount')}::bigint[], ${column('customer_id')}::uuid[],
          ${column('memo')}::text[])
          WITH ORDINALITY AS l (account_id, debit, credit, base_debit, base_credit, customer_id, memo, position)`,
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
