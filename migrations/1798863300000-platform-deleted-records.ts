import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Deleted rows that can be restored: a record for each row that was deleted, and for each table the rows that went with it. They are json,
 * which keeps the text of json columns as it was written.
 */
export class PlatformDeletedRecords1798863300000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE deleted_records (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        mode text NOT NULL CONSTRAINT deleted_records_mode_check CHECK (mode IN ('live', 'test')),
        module text NOT NULL,
        resource text NOT NULL,
        record_id uuid NOT NULL,
        title text,
        deleted_by jsonb NOT NULL,
        version integer NOT NULL DEFAULT 1,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT deleted_records_project_id_fkey FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id),
        CONSTRAINT deleted_records_record_key UNIQUE (record_id, resource)
      )`);
    await queryRunner.query(`CREATE INDEX deleted_records_created_at_idx ON deleted_records (organization_id, mode, created_at, id)`);
    // for retention
    await queryRunner.query(`CREATE INDEX deleted_records_age_idx ON deleted_records (created_at)`);
    await queryRunner.query(`
      CREATE TABLE deleted_rows (
        deleted_record_id uuid NOT NULL CONSTRAINT deleted_rows_deleted_record_id_fkey REFERENCES deleted_records (id) ON DELETE CASCADE,
        place integer NOT NULL,
        table_name text NOT NULL,
        rows json NOT NULL,
        PRIMARY KEY (deleted_record_id, place)
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE deleted_rows, deleted_records');
  }
}
