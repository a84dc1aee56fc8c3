import type { MigrationInterface, QueryRunner } from 'typeorm';

/** PDFs that the documents of a type consist of, with the places where their values are printed. */
export class DocumentsTypeFiles1798400000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE document_type_files (
          id uuid PRIMARY KEY,
          organization_id uuid NOT NULL,
          type_id uuid NOT NULL,
          pdf bytea NOT NULL CONSTRAINT document_type_files_pdf_check CHECK (length(pdf) <= 10485760),
          sha256 text NOT NULL,
          page_texts jsonb NOT NULL,
          form_fields jsonb NOT NULL,
          earlier_signatures jsonb NOT NULL,
          version integer NOT NULL DEFAULT 1,
          created_at timestamptz(3) NOT NULL DEFAULT now(),
          updated_at timestamptz(3) NOT NULL DEFAULT now(),
          CONSTRAINT document_type_files_type_id_fkey FOREIGN KEY (organization_id, type_id)
            REFERENCES document_types (organization_id, id)
      )`);
    await queryRunner.query('CREATE INDEX document_type_files_type_id_idx ON document_type_files (organization_id, type_id)');
    await queryRunner.query('ALTER TABLE document_types ADD COLUMN file jsonb');
    await queryRunner.query('ALTER TABLE document_type_versions ADD COLUMN file jsonb');
    await queryRunner.query(`ALTER TABLE document_files ADD COLUMN "values" jsonb NOT NULL DEFAULT '[]'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE document_files DROP COLUMN "values"');
    await queryRunner.query('ALTER TABLE document_type_versions DROP COLUMN file');
    await queryRunner.query('ALTER TABLE document_types DROP COLUMN file');
    await queryRunner.query('DROP TABLE document_type_files');
  }
}
