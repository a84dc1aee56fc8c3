import type { MigrationInterface, QueryRunner } from 'typeorm';

/** PDFs that documents consist of instead of a template, and what the parties fill in on them. */
export class DocumentsFiles1764550000040 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE document_files (
          id uuid PRIMARY KEY,
          organization_id uuid NOT NULL,
          project_id uuid NOT NULL,
          mode text NOT NULL CONSTRAINT document_files_mode_check CHECK (mode IN ('live', 'test')),
          document_id uuid NOT NULL CONSTRAINT document_files_document_id_key UNIQUE,
          pdf bytea NOT NULL CONSTRAINT document_files_pdf_check CHECK (length(pdf) <= 10485760),
          sha256 text NOT NULL,
          page_texts jsonb NOT NULL,
          fields jsonb NOT NULL DEFAULT '[]',
          version integer NOT NULL DEFAULT 1,
          created_at timestamptz(3) NOT NULL DEFAULT now(),
          updated_at timestamptz(3) NOT NULL DEFAULT now(),
          CONSTRAINT document_files_document_id_fkey FOREIGN KEY (organization_id, project_id, mode, document_id)
            REFERENCES documents (organization_id, project_id, mode, id) ON DELETE CASCADE
      )`);
    await queryRunner.query(`ALTER TABLE signature_parties ADD COLUMN field_values jsonb NOT NULL DEFAULT '{}'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE signature_parties DROP COLUMN field_values`);
    await queryRunner.query(`DROP TABLE document_files`);
  }
}
