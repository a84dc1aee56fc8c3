import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Partitions the deliveries. Claims visit only the small indexes of what is ready, of which older partitions have empty ones. */
export class WebhooksDeliveryPartitions1798864200000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`SELECT partitions.bound('webhook_deliveries', 'id')`);
    await queryRunner.query(`SELECT partitions.validate('webhook_deliveries')`);
    await queryRunner.query(`SELECT partitions.split('webhook_deliveries', 'id')`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`SELECT partitions.merge('webhook_deliveries')`);
  }
}
