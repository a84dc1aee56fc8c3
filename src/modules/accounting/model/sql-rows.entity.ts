import { Entity, PrimaryColumn } from 'typeorm';
import { Scoped } from '../../../kit/index.js';

// Tables that only SQL reads and writes. What it needs to know of them is declared here; their columns are in the migrations.

/** The lines of invoices. */
@Entity('accounting_invoice_lines', { synchronize: false })
@Scoped('business')
export class InvoiceLineRow {
  @PrimaryColumn('uuid')
  id: string;
}

/** The lines of journal entries. */
@Entity('accounting_journal_lines', { synchronize: false })
@Scoped('business')
export class JournalLineRow {
  @PrimaryColumn('uuid')
  entry_id: string;

  @PrimaryColumn('smallint')
  position: number;
}

/** What the live lines of an account up to the end of a closed month add up to. */
@Entity('accounting_balances', { synchronize: false })
@Scoped('configuration')
export class MonthBalanceRow {
  @PrimaryColumn('uuid')
  project_id: string;

  @PrimaryColumn('date')
  month: string;

  @PrimaryColumn('uuid')
  account_id: string;
}
