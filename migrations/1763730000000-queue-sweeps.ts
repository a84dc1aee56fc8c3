import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The next due time of each scheduled job, and the process that runs it. */
export class QueueSweeps1763730000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE sweeps (
        name text PRIMARY KEY,
        due_at timestamptz(3) NOT NULL,
        leased_until timestamptz(3),
        runs bigint NOT NULL DEFAULT 0,
        last_error text
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE sweeps`);
  }
}
