import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What approvers were asked to approve with each submission, so that the next ones see what has changed. */
export class DocumentsSubmissions1798700000030 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE document_submissions (
          id uuid PRIMARY KEY,
          organization_id uuid NOT NULL,
          project_id uuid NOT NULL,
          mode text NOT NULL CONSTRAINT document_submissions_mode_check CHECK (mode IN ('live', 'test')),
          document_id uuid NOT NULL,
          round integer NOT NULL,
          title text NOT NULL,
          data_values jsonb NOT NULL,
          file_sha256 text,
          comment text,
          version integer NOT NULL DEFAULT 1,
          created_at timestamptz(3) NOT NULL DEFAULT now(),
          updated_at timestamptz(3) NOT NULL DEFAULT now(),
          CONSTRAINT document_submissions_round_key UNIQUE (document_id, round),
          CONSTRAINT document_submissions_document_id_fkey FOREIGN KEY (organization_id, project_id, mode, document_id)
            REFERENCES documents (organization_id, project_id, mode, id) ON DELETE CASCADE
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE document_submissions`);
  }
}
