import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLE = 'accounting_payments';
const CHECK = `${TABLE}_provider_check`;
const KEY = `${TABLE}_provider_reference_key`;

/** A payment that a provider reports twice is booked once. Outside of a transaction, so that nothing waits while the table is read. */
export class AccountingPaymentProviders1798864410000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    // may have been interrupted before
    await queryRunner.query(`ALTER TABLE ${TABLE} ADD COLUMN IF NOT EXISTS provider text`);
    await queryRunner.query(`
      ALTER TABLE ${TABLE} DROP CONSTRAINT IF EXISTS ${CHECK}, ADD CONSTRAINT ${CHECK}
        CHECK (provider IS NULL OR (length(provider) BETWEEN 1 AND 64 AND reference IS NOT NULL)) NOT VALID`);
    await queryRunner.query(`ALTER TABLE ${TABLE} VALIDATE CONSTRAINT ${CHECK}`);
    await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${KEY}`);
    await queryRunner.query(`
      CREATE UNIQUE INDEX CONCURRENTLY ${KEY} ON ${TABLE} (organization_id, project_id, mode, provider, reference)
        WHERE provider IS NOT NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE ${TABLE} DROP COLUMN provider`);
  }
}
