import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Imports of leads from files, with the errors and warnings of their rows. */
export class LeadImports1763720000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE lead_imports (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        mode text NOT NULL CONSTRAINT lead_imports_mode_check CHECK (mode IN ('live', 'test')),
        file_name text CONSTRAINT lead_imports_file_name_check CHECK (length(file_name) <= 255),
        content bytea,
        mapping jsonb NOT NULL CONSTRAINT lead_imports_mapping_check CHECK (jsonb_typeof(mapping) = 'object'),
        ignored_columns text[] NOT NULL DEFAULT '{}',
        dry_run boolean NOT NULL,
        state text NOT NULL CONSTRAINT lead_imports_state_check CHECK (state IN ('queued', 'running', 'completed', 'failed')),
        failure text,
        rows_total integer NOT NULL,
        rows_done integer NOT NULL DEFAULT 0,
        created_count integer NOT NULL DEFAULT 0,
        error_count integer NOT NULL DEFAULT 0,
        warning_count integer NOT NULL DEFAULT 0,
        started_at timestamptz(3),
        finished_at timestamptz(3),
        created_by jsonb NOT NULL,
        version integer NOT NULL DEFAULT 1,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT lead_imports_project_id_fkey FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id),
        CONSTRAINT lead_imports_rows_done_check CHECK (rows_done BETWEEN 0 AND rows_total AND created_count + error_count <= rows_done),
        CONSTRAINT lead_imports_finished_at_check CHECK ((finished_at IS NOT NULL) = (state IN ('completed', 'failed')))
      )`);
    await queryRunner.query(`CREATE INDEX lead_imports_created_at_idx ON lead_imports (organization_id, mode, created_at, id)`);
    await queryRunner.query(`
      CREATE TABLE lead_import_issues (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        mode text NOT NULL CONSTRAINT lead_import_issues_mode_check CHECK (mode IN ('live', 'test')),
        import_id uuid NOT NULL CONSTRAINT lead_import_issues_import_id_fkey REFERENCES lead_imports (id) ON DELETE CASCADE,
        row_number integer NOT NULL,
        severity text NOT NULL CONSTRAINT lead_import_issues_severity_check CHECK (severity IN ('error', 'warning')),
        code text NOT NULL,
        param text,
        message text NOT NULL,
        version integer NOT NULL DEFAULT 1,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await queryRunner.query(`CREATE INDEX lead_import_issues_row_number_idx ON lead_import_issues (import_id, row_number, id)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE lead_import_issues`);
    await queryRunner.query(`DROP TABLE lead_imports`);
  }
}
