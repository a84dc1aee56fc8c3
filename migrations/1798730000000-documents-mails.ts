import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Mails about documents that are on their way, so that the sender is told of those that could not be delivered. */
export class DocumentsMails1798730000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE document_mails (
          id uuid PRIMARY KEY,
          organization_id uuid NOT NULL,
          project_id uuid NOT NULL,
          mode text NOT NULL CONSTRAINT document_mails_mode_check CHECK (mode IN ('live', 'test')),
          document_id uuid NOT NULL,
          mail_id uuid NOT NULL,
          purpose text NOT NULL CONSTRAINT document_mails_purpose_check CHECK (purpose IN ('copy', 'executed', 'decision')),
          name text NOT NULL,
          email text NOT NULL,
          version integer NOT NULL DEFAULT 1,
          created_at timestamptz(3) NOT NULL DEFAULT now(),
          updated_at timestamptz(3) NOT NULL DEFAULT now(),
          CONSTRAINT document_mails_document_id_fkey FOREIGN KEY (organization_id, project_id, mode, document_id)
            REFERENCES documents (organization_id, project_id, mode, id) ON DELETE CASCADE
      )`);
    await queryRunner.query(`CREATE INDEX document_mails_document_id_idx ON document_mails (document_id)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE document_mails`);
  }
}
