import type { MigrationInterface, QueryRunner } from 'typeorm';

const SOURCES = `'manual', 'invoice', 'credit_note', 'payment', 'credit', 'exchange_difference'`;

/** What is paid out to the customer settles a credit note without an invoice. */
export class AccountingRefunds1764250000010 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await this.allowSources(queryRunner, `${SOURCES}, 'refund'`);
    await queryRunner.query(`ALTER TABLE accounting_allocations ALTER invoice_id DROP NOT NULL`);
    await queryRunner.query(`
      ALTER TABLE accounting_allocations ADD CONSTRAINT accounting_allocations_refund_check
        CHECK (invoice_id IS NOT NULL OR (credit_note_id IS NOT NULL AND journal_entry_id IS NOT NULL))`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE accounting_allocations DROP CONSTRAINT accounting_allocations_refund_check`);
    await queryRunner.query(`ALTER TABLE accounting_allocations ALTER invoice_id SET NOT NULL`);
    await this.allowSources(queryRunner, SOURCES);
  }

  private async allowSources(queryRunner: QueryRunner, sources: string): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE accounting_journal_entries DROP CONSTRAINT accounting_journal_entries_source_type_check,
        ADD CONSTRAINT accounting_journal_entries_source_type_check CHECK (source_type IN (${sources}))`);
  }
}
