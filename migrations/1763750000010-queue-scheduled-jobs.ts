import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Renames sweeps to scheduled jobs. */
export class QueueScheduledJobs1763750000010 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE sweeps RENAME TO scheduled_jobs`);
    await queryRunner.query(`ALTER INDEX sweeps_pkey RENAME TO scheduled_jobs_pkey`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER INDEX scheduled_jobs_pkey RENAME TO sweeps_pkey`);
    await queryRunner.query(`ALTER TABLE scheduled_jobs RENAME TO sweeps`);
  }
}
