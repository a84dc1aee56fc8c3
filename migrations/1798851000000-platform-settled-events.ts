import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When an event drew its sequence, by the clock of the database: see SettledEvents. The times of earlier events do not matter. */
export class PlatformSettledEvents1798851000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE outbox_events ADD COLUMN drawn_at timestamptz NOT NULL DEFAULT '-infinity'`);
    await queryRunner.query('ALTER TABLE outbox_events ALTER COLUMN drawn_at SET DEFAULT clock_timestamp()');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE outbox_events DROP COLUMN drawn_at');
  }
}
