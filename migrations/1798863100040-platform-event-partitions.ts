import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Partitions the events by their ids. Numbers of a sequence are unique without the index, and events are read by them only within an
 * organization and mode, for which there is another index.
 */
export class PlatformEventPartitions1798863100040 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`SET lock_timeout = '3s'`);
    await queryRunner.query('DROP INDEX IF EXISTS outbox_events_sequence_key');
    await queryRunner.query('SET lock_timeout = 0');
    await queryRunner.query(`SELECT partitions.bound('outbox_events', 'id')`);
    await queryRunner.query(`SELECT partitions.validate('outbox_events')`);
    await queryRunner.query(`SELECT partitions.split('outbox_events', 'id')`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`SELECT partitions.merge('outbox_events')`);
    await queryRunner.query('CREATE UNIQUE INDEX outbox_events_sequence_key ON outbox_events (sequence)');
  }
}
