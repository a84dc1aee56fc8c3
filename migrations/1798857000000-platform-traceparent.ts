import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['outbox_events', 'jobs', 'mails'];

/** What follows a request later continues its trace. */
export class PlatformTraceparent1798857000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) await queryRunner.query(`ALTER TABLE ${table} ADD COLUMN traceparent text`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) await queryRunner.query(`ALTER TABLE ${table} DROP COLUMN traceparent`);
  }
}
