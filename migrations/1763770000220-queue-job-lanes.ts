import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For claims that go from organization to organization, and for counting what runs. */
export class QueueJobLanes1763770000220 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE INDEX jobs_lane_idx ON jobs (name, organization_id, due_at) WHERE status = 'due' AND leased_until IS NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX jobs_leased_idx ON jobs (name, organization_id) WHERE status = 'due' AND leased_until IS NOT NULL`,
    );
    await queryRunner.query('DROP INDEX jobs_due_idx');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE INDEX jobs_due_idx ON jobs (due_at) WHERE status = 'due'`);
    await queryRunner.query('DROP INDEX jobs_leased_idx');
    await queryRunner.query('DROP INDEX jobs_lane_idx');
  }
}
