import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The time since which an endpoint has been slow; workers limit its share of the capacity. */
export class WebhooksSlowEndpoints1763725000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE webhook_endpoints ADD COLUMN slow_since timestamptz(3)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE webhook_endpoints DROP COLUMN slow_since`);
  }
}
