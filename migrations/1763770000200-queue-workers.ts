import type { MigrationInterface, QueryRunner } from 'typeorm';

const LEASED = ['webhook_deliveries', 'jobs', 'scheduled_jobs', 'mails'];

/** Leases name their worker, so that those of a worker that ended are released at once. Failures of jobs are counted apart from runs. */
export class QueueWorkers1763770000200 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE workers (
        id uuid PRIMARY KEY,
        seen_at timestamptz NOT NULL DEFAULT now()
      )`);
    for (const table of LEASED) await queryRunner.query(`ALTER TABLE ${table} ADD COLUMN leased_by uuid`);
    await queryRunner.query(`ALTER TABLE jobs ADD COLUMN failures integer NOT NULL DEFAULT 0`);
    await queryRunner.query(`UPDATE jobs SET failures = greatest(attempts - 1, 0) WHERE status = 'due' AND attempts > 0`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE jobs DROP COLUMN failures`);
    for (const table of LEASED) await queryRunner.query(`ALTER TABLE ${table} DROP COLUMN leased_by`);
    await queryRunner.query(`DROP TABLE workers`);
  }
}
