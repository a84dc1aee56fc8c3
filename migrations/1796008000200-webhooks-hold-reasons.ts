import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An endpoint says which response asked for a pause. */
export class WebhooksHoldReasons1796008000200 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE webhook_endpoints ADD COLUMN hold_reason text');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE webhook_endpoints DROP COLUMN hold_reason');
  }
}
