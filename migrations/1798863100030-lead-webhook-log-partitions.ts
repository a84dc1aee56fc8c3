import type { MigrationInterface, QueryRunner } from 'typeorm';

export class LeadWebhookLogPartitions1798863100030 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`SELECT partitions.bound('lead_webhook_logs', 'id')`);
    await queryRunner.query(`SELECT partitions.validate('lead_webhook_logs')`);
    await queryRunner.query(`SELECT partitions.split('lead_webhook_logs', 'id')`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`SELECT partitions.merge('lead_webhook_logs')`);
  }
}
