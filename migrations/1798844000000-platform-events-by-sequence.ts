import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keys read the events of their organization and mode in the order of the sequence. */
export class PlatformEventsBySequence1798844000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE INDEX outbox_events_reading_idx ON outbox_events (organization_id, mode, sequence, id)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX outbox_events_reading_idx');
  }
}
