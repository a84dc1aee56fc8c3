import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Jobs of the modules. BullMQ has its own schema, which it creates and migrates itself. */
export class QueueJobs1763700000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE jobs (
        id uuid PRIMARY KEY,
        name text NOT NULL,
        key text,
        organization_id uuid NOT NULL,
        project_id uuid,
        mode text NOT NULL CONSTRAINT jobs_mode_check CHECK (mode IN ('live', 'test')),
        actor jsonb NOT NULL,
        member_id uuid,
        payload jsonb NOT NULL,
        status text NOT NULL DEFAULT 'due' CONSTRAINT jobs_status_check CHECK (status IN ('due', 'done', 'failed')),
        attempts integer NOT NULL DEFAULT 0,
        due_at timestamptz(3) NOT NULL,
        leased_until timestamptz(3),
        last_error text,
        created_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await queryRunner.query(`CREATE INDEX jobs_due_idx ON jobs (due_at) WHERE status = 'due'`);
    await queryRunner.query(`CREATE INDEX jobs_finished_idx ON jobs (due_at) WHERE status <> 'due'`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX jobs_key_idx ON jobs (organization_id, mode, name, key) WHERE status = 'due' AND attempts = 0`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE jobs`);
  }
}
