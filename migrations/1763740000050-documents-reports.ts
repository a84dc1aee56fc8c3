import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Saved reports on documents. */
export class DocumentsReports1763740000050 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE document_reports (
          id uuid PRIMARY KEY,
          organization_id uuid NOT NULL,
          project_id uuid,
          name text NOT NULL CONSTRAINT document_reports_name_check CHECK (length(name) BETWEEN 1 AND 100),
          description text,
          dataset text NOT NULL CONSTRAINT document_reports_dataset_check
            CHECK (dataset IN ('documents', 'obligations', 'approvals', 'signatures')),
          columns text[] NOT NULL,
          filters jsonb NOT NULL CONSTRAINT document_reports_filters_check CHECK (jsonb_typeof(filters) = 'object'),
          group_by text[] NOT NULL,
          aggregates jsonb NOT NULL CONSTRAINT document_reports_aggregates_check CHECK (jsonb_typeof(aggregates) = 'array'),
          sort text,
          shared boolean NOT NULL,
          version integer NOT NULL DEFAULT 1,
          created_at timestamptz(3) NOT NULL DEFAULT now(),
          updated_at timestamptz(3) NOT NULL DEFAULT now(),
          CONSTRAINT document_reports_project_id_fkey FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id)
      )`);
    await queryRunner.query(`CREATE INDEX document_reports_created_at_idx ON document_reports (organization_id, created_at, id)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE document_reports`);
  }
}
