import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Documents that one call sends to many. */
export class DocumentsBulkSends1764550000030 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE document_bulk_sends (
          id uuid PRIMARY KEY,
          organization_id uuid NOT NULL,
          project_id uuid NOT NULL,
          mode text NOT NULL CONSTRAINT document_bulk_sends_mode_check CHECK (mode IN ('live', 'test')),
          type_code text NOT NULL,
          row_count integer NOT NULL,
          sent_count integer NOT NULL DEFAULT 0,
          failed_count integer NOT NULL DEFAULT 0,
          repeated_count integer NOT NULL DEFAULT 0,
          finished_at timestamptz(3),
          created_by jsonb NOT NULL,
          version integer NOT NULL DEFAULT 1,
          created_at timestamptz(3) NOT NULL DEFAULT now(),
          updated_at timestamptz(3) NOT NULL DEFAULT now(),
          CONSTRAINT document_bulk_sends_reference_key UNIQUE (organization_id, project_id, mode, id),
          CONSTRAINT document_bulk_sends_project_id_fkey FOREIGN KEY (organization_id, project_id)
            REFERENCES projects (organization_id, id),
          CONSTRAINT document_bulk_sends_counts_check CHECK (sent_count + failed_count + repeated_count <= row_count)
      )`);
    await queryRunner.query(`
      CREATE TABLE document_bulk_send_rows (
          id uuid PRIMARY KEY,
          organization_id uuid NOT NULL,
          project_id uuid NOT NULL,
          mode text NOT NULL CONSTRAINT document_bulk_send_rows_mode_check CHECK (mode IN ('live', 'test')),
          bulk_send_id uuid NOT NULL,
          row integer NOT NULL,
          key text,
          title text NOT NULL,
          data_values jsonb NOT NULL,
          source_ref jsonb,
          status text NOT NULL DEFAULT 'pending'
            CONSTRAINT document_bulk_send_rows_status_check CHECK (status IN ('pending', 'sent', 'failed', 'repeated')),
          document_id uuid,
          error jsonb,
          version integer NOT NULL DEFAULT 1,
          created_at timestamptz(3) NOT NULL DEFAULT now(),
          updated_at timestamptz(3) NOT NULL DEFAULT now(),
          CONSTRAINT document_bulk_send_rows_bulk_send_id_fkey FOREIGN KEY (organization_id, project_id, mode, bulk_send_id)
            REFERENCES document_bulk_sends (organization_id, project_id, mode, id) ON DELETE CASCADE,
          CONSTRAINT document_bulk_send_rows_document_check CHECK ((status IN ('sent', 'repeated')) = (document_id IS NOT NULL)),
          CONSTRAINT document_bulk_send_rows_error_check CHECK ((status = 'failed') = (error IS NOT NULL))
      )`);
    await queryRunner.query(`CREATE UNIQUE INDEX document_bulk_send_rows_row_key ON document_bulk_send_rows (bulk_send_id, row)`);
    await queryRunner.query(`
      CREATE UNIQUE INDEX document_bulk_send_rows_sent_key ON document_bulk_send_rows (project_id, mode, key)
      WHERE status = 'sent' AND key IS NOT NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE document_bulk_send_rows, document_bulk_sends`);
  }
}
