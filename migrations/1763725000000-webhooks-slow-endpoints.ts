import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Since when an endpoint's answers take long, by which the workers limit its share. */
export class WebhooksSlowEndpoints1763725000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE webhook_endpoints ADD COLUMN slow_since timestamptz(3)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE webhook_endpoints DROP COLUMN slow_since`);
  }
}
