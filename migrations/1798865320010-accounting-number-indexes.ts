import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEXES = [
  { name: 'accounting_invoices_number_idx', on: 'accounting_invoices (organization_id, mode, number) WHERE number IS NOT NULL' },
  { name: 'accounting_journal_entries_number_idx', on: 'accounting_journal_entries (organization_id, mode, number)' },
];

/** For numbers that paths have in place of ids. Outside of a transaction, so that nothing waits while the tables are read. */
export class AccountingNumberIndexes1798865320010 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const { name, on } of INDEXES) {
      // an invalid one is left behind if it was interrupted
      await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await queryRunner.query(`CREATE INDEX CONCURRENTLY ${name} ON ${on}`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const { name } of INDEXES) await queryRunner.query(`DROP INDEX ${name}`);
  }
}
