import type { MigrationInterface, QueryRunner } from 'typeorm';

/** By which release of the time zone database the instants of an event were computed; empty for events from before. */
export class ScheduleTzRelease1763780000220 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE schedule_events ADD COLUMN tz_release text NOT NULL DEFAULT ''`);
    await queryRunner.query(`DROP INDEX schedule_events_wall_clock_idx`);
    await queryRunner.query(`CREATE INDEX schedule_events_tz_release_idx ON schedule_events (tz_release, id) WHERE wall_clock`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX schedule_events_tz_release_idx`);
    await queryRunner.query(`CREATE INDEX schedule_events_wall_clock_idx ON schedule_events (timezone, id) WHERE wall_clock`);
    await queryRunner.query(`ALTER TABLE schedule_events DROP COLUMN tz_release`);
  }
}
