import { Check, Column, Entity, ForeignKey, Index, Unique, VirtualColumn } from 'typeorm';
import { BusinessEntity, type Actor, type Decimal } from '../../../kit/index.js';
import { REFERENCE } from './reference.js';

export const ENTRY_SOURCES = ['manual', 'invoice', 'credit_note', 'payment', 'credit', 'exchange_difference', 'refund'] as const;
export type EntrySource = (typeof ENTRY_SOURCES)[number];

/** A line as it is stored: one of the two sides is positive. Base amounts are in the base currency. */
export interface JournalLine {
  account_id: string;
  debit_amount: number;
  credit_amount: number;
  base_debit_amount: number;
  base_credit_amount: number;
  /** Whose receivable or credit a manual line changes. */
  customer_id: string | null;
  memo: string | null;
}

const LINES = (entry: string) => `
  SELECT json_agg(json_build_object('account_id', l.account_id, 'debit_amount', l.debit_amount, 'credit_amount', l.credit_amount,
    'base_debit_amount', l.base_debit_amount, 'base_credit_amount', l.base_credit_amount, 'customer_id', l.customer_id, 'memo', l.memo)
    ORDER BY l.position)
  FROM accounting_journal_lines l WHERE l.entry_id = ${entry}.id`;

/** A posted entry, which never changes. Its lines are in `accounting_journal_lines`. */
@Entity('accounting_journal_entries')
@Unique('accounting_journal_entries_reference_key', REFERENCE)
@Unique('accounting_journal_entries_number_key', ['project_id', 'mode', 'number'])
@Unique('accounting_journal_entries_reverses_id_key', ['reverses_id'])
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], {
  name: 'accounting_journal_entries_project_id_fkey',
})
@ForeignKey(() => JournalEntry, ['organization_id', 'project_id', 'mode', 'reverses_id'], REFERENCE, {
  name: 'accounting_journal_entries_reverses_id_fkey',
})
@Index('accounting_journal_entries_external_id_key', ['project_id', 'mode', 'external_id'], {
  unique: true,
  where: 'external_id IS NOT NULL',
})
@Index('accounting_journal_entries_number_idx', ['organization_id', 'mode', 'number'])
@Index('accounting_journal_entries_created_at_idx', ['organization_id', 'mode', 'created_at', 'id', 'project_id'])
@Index('accounting_journal_entries_on_idx', ['organization_id', 'mode', 'on', 'id', 'project_id'])
@Index('accounting_journal_entries_source_id_idx', ['source_id', 'created_at', 'id'], { where: 'source_id IS NOT NULL' })
@Index('accounting_journal_entries_account_ids_idx', { synchronize: false })
@Check('accounting_journal_entries_mode_check', `mode IN ('live', 'test')`)
@Check('accounting_journal_entries_memo_check', 'length(memo) BETWEEN 1 AND 500')
@Check('accounting_journal_entries_currency_check', `currency ~ '^[A-Z]{3}$'`)
@Check('accounting_journal_entries_exchange_rate_check', 'exchange_rate > 0')
@Check(
  'accounting_journal_entries_source_type_check',
  `source_type IN ('manual', 'invoice', 'credit_note', 'payment', 'credit', 'exchange_difference', 'refund')`,
)
@Check('accounting_journal_entries_source_id_check', `(source_id IS NULL) = (source_type = 'manual')`)
@Check('accounting_journal_entries_reverses_id_check', 'reverses_id <> id')
@Check('accounting_journal_entries_external_id_check', 'length(external_id) BETWEEN 1 AND 255')
@Check('accounting_journal_entries_line_count_check', 'line_count BETWEEN 2 AND 500')
export class JournalEntry extends BusinessEntity {
  @Column('text')
  number: string;

  @Column('date')
  on: string;

  @Column('text')
  memo: string;

  @Column('text')
  currency: string;

  /** Base currency per unit of the currency. */
  @Column('numeric', {
    precision: 20,
    scale: 10,
  })
  exchange_rate: Decimal;

  @Column('text')
  source_type: EntrySource;

  /** The invoice, credit note or payment. */
  @Column('uuid', { nullable: true })
  source_id: string | null;

  @Column('uuid', { nullable: true })
  reverses_id: string | null;

  @Column('text', { nullable: true })
  external_id: string | null;

  @Column('smallint')
  line_count: number;

  /** The accounts of its lines. */
  @Column('uuid', { array: true })
  account_ids: string[];

  @Column('jsonb')
  created_by: Actor;

  @VirtualColumn({
    type: 'json',
    query: LINES,
  })
  readonly lines?: JournalLine[];

  @VirtualColumn({
    type: 'uuid',
    query: (entry) => `SELECT r.id FROM accounting_journal_entries r WHERE r.reverses_id = ${entry}.id`,
  })
  readonly reversed_by_id?: string | null;
}
