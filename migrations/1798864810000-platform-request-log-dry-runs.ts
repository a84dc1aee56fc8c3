import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether a call was a dry run. A constant default changes no rows. */
export class PlatformRequestLogDryRuns1798864810000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE request_logs ADD COLUMN dry_run boolean NOT NULL DEFAULT false`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE request_logs DROP COLUMN dry_run`);
  }
}
