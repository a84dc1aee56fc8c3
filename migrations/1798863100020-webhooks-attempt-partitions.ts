import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Partitions the attempts of deliveries, by the ids of the deliveries. */
export class WebhooksAttemptPartitions1798863100020 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`SELECT partitions.bound('webhook_attempts', 'delivery_id')`);
    await queryRunner.query(`SELECT partitions.validate('webhook_attempts')`);
    await queryRunner.query(`SELECT partitions.split('webhook_attempts', 'delivery_id')`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`SELECT partitions.merge('webhook_attempts')`);
  }
}
