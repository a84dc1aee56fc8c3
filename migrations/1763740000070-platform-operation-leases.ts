import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Operations with separate transactions: their idempotency record has no response while they run. */
export class PlatformOperationLeases1763740000070 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE idempotency_records ALTER COLUMN status DROP NOT NULL, ADD COLUMN leased_until timestamptz(3),
        ADD CONSTRAINT idempotency_records_leased_until_check CHECK ((status IS NULL) = (leased_until IS NOT NULL))`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DELETE FROM idempotency_records WHERE status IS NULL`);
    await queryRunner.query(`ALTER TABLE idempotency_records DROP COLUMN leased_until, ALTER COLUMN status SET NOT NULL`);
  }
}
