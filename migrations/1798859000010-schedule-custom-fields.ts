import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['schedule_events', 'schedule_bookings'];

export class ScheduleCustomFields1798859000010 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES)
      await queryRunner.query(`
        ALTER TABLE ${table} ADD COLUMN custom_fields jsonb NOT NULL DEFAULT '{}'
          CONSTRAINT ${table}_custom_fields_check CHECK (jsonb_typeof(custom_fields) = 'object')`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) await queryRunner.query(`ALTER TABLE ${table} DROP COLUMN custom_fields`);
  }
}
