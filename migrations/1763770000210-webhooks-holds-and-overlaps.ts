import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Endpoints that asked for a pause, and every earlier secret until its own overlap ends. */
export class WebhooksHoldsAndOverlaps1763770000210 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE webhook_endpoints
        ADD COLUMN held_until timestamptz(3),
        ADD COLUMN earlier_secrets bytea[] NOT NULL DEFAULT '{}',
        ADD COLUMN earlier_secrets_expire_at timestamptz[] NOT NULL DEFAULT '{}'`);
    await queryRunner.query(`
      UPDATE webhook_endpoints
      SET earlier_secrets = ARRAY[previous_secret], earlier_secrets_expire_at = ARRAY[previous_secret_expires_at]
      WHERE previous_secret IS NOT NULL AND previous_secret_expires_at > now()`);
    await queryRunner.query('ALTER TABLE webhook_endpoints DROP COLUMN previous_secret');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE webhook_endpoints ADD COLUMN previous_secret bytea');
    await queryRunner.query(`UPDATE webhook_endpoints SET previous_secret = earlier_secrets[cardinality(earlier_secrets)]`);
    await queryRunner.query(`
      ALTER TABLE webhook_endpoints DROP COLUMN held_until, DROP COLUMN earlier_secrets, DROP COLUMN earlier_secrets_expire_at`);
  }
}
