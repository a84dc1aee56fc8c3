import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Links that share documents. */
export class DocumentsSharing1763740000021 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE document_share_links (
          id uuid PRIMARY KEY,
          organization_id uuid NOT NULL,
          project_id uuid NOT NULL,
          mode text NOT NULL CONSTRAINT document_share_links_mode_check CHECK (mode IN ('live', 'test')),
          document_id uuid NOT NULL,
          token_hash text NOT NULL CONSTRAINT document_share_links_token_hash_key UNIQUE,
          expires_at timestamptz(3) NOT NULL,
          passcode_hash text,
          allow_download boolean NOT NULL,
          created_by jsonb NOT NULL,
          revoked_at timestamptz(3),
          failures integer NOT NULL DEFAULT 0,
          recent_failures integer NOT NULL DEFAULT 0,
          failing_since timestamptz(3),
          version integer NOT NULL DEFAULT 1,
          created_at timestamptz(3) NOT NULL DEFAULT now(),
          updated_at timestamptz(3) NOT NULL DEFAULT now(),
          CONSTRAINT document_share_links_document_id_fkey FOREIGN KEY (organization_id, project_id, mode, document_id)
            REFERENCES documents (organization_id, project_id, mode, id) ON DELETE CASCADE
      )`);
    await queryRunner.query(`CREATE INDEX document_share_links_document_id_idx ON document_share_links (document_id, created_at, id)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE document_share_links`);
  }
}
