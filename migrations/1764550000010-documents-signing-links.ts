import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Links to signing pages other than the current ones: earlier ones, and those for embedding. Reminders that parties were sent. */
export class DocumentsSigningLinks1764550000010 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE signing_links (
          id uuid PRIMARY KEY,
          organization_id uuid NOT NULL,
          project_id uuid NOT NULL,
          mode text NOT NULL CONSTRAINT signing_links_mode_check CHECK (mode IN ('live', 'test')),
          document_id uuid NOT NULL,
          party_id uuid NOT NULL,
          token_hash text NOT NULL CONSTRAINT signing_links_token_hash_key UNIQUE,
          kind text NOT NULL CONSTRAINT signing_links_kind_check CHECK (kind IN ('earlier', 'passed_on', 'embed', 'session')),
          expires_at timestamptz(3),
          used_at timestamptz(3),
          version integer NOT NULL DEFAULT 1,
          created_at timestamptz(3) NOT NULL DEFAULT now(),
          updated_at timestamptz(3) NOT NULL DEFAULT now(),
          CONSTRAINT signing_links_document_id_fkey FOREIGN KEY (organization_id, project_id, mode, document_id)
            REFERENCES documents (organization_id, project_id, mode, id) ON DELETE CASCADE
      )`);
    await queryRunner.query(`CREATE INDEX signing_links_document_id_idx ON signing_links (document_id, party_id)`);
    await queryRunner.query(`
      ALTER TABLE signature_parties
        ADD COLUMN may_delegate boolean NOT NULL DEFAULT false,
        ADD COLUMN invited_at timestamptz(3),
        ADD COLUMN reminders integer NOT NULL DEFAULT 0`);
    await queryRunner.query(`
      CREATE INDEX signature_parties_invited_at_idx ON signature_parties (invited_at)
      WHERE status IN ('invited', 'viewed') AND invited_at IS NOT NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE signature_parties DROP COLUMN may_delegate, DROP COLUMN invited_at, DROP COLUMN reminders`);
    await queryRunner.query(`DROP TABLE signing_links`);
  }
}
