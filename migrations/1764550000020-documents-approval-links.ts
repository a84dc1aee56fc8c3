import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The links that approvers get by mail, to the page on which they decide. */
export class DocumentsApprovalLinks1764550000020 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE approval_links (
          id uuid PRIMARY KEY,
          organization_id uuid NOT NULL,
          project_id uuid NOT NULL,
          mode text NOT NULL CONSTRAINT approval_links_mode_check CHECK (mode IN ('live', 'test')),
          document_id uuid NOT NULL,
          member_id uuid NOT NULL,
          token_hash text NOT NULL CONSTRAINT approval_links_token_hash_key UNIQUE,
          expires_at timestamptz(3) NOT NULL,
          version integer NOT NULL DEFAULT 1,
          created_at timestamptz(3) NOT NULL DEFAULT now(),
          updated_at timestamptz(3) NOT NULL DEFAULT now(),
          CONSTRAINT approval_links_document_id_fkey FOREIGN KEY (organization_id, project_id, mode, document_id)
            REFERENCES documents (organization_id, project_id, mode, id) ON DELETE CASCADE,
          CONSTRAINT approval_links_member_id_fkey FOREIGN KEY (organization_id, member_id) REFERENCES members (organization_id, id)
      )`);
    await queryRunner.query(`CREATE INDEX approval_links_document_id_idx ON approval_links (document_id)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE approval_links`);
  }
}
