import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PlatformTestDataErasures1763800000077 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE test_data_erasures (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL CONSTRAINT test_data_erasures_organization_fkey REFERENCES organizations (id),
        requested_by uuid,
        status text NOT NULL CONSTRAINT test_data_erasures_status_check CHECK (status IN ('running', 'done', 'failed')),
        total integer NOT NULL,
        deleted jsonb NOT NULL,
        finished_at timestamptz(3),
        version integer NOT NULL DEFAULT 1,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX test_data_erasures_running_key ON test_data_erasures (organization_id) WHERE status = 'running'`,
    );
    await queryRunner.query(`CREATE INDEX test_data_erasures_created_at_idx ON test_data_erasures (organization_id, created_at, id)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE test_data_erasures`);
  }
}
