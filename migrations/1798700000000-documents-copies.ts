import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How single documents are sent, and the people who get a copy of them without signing. */
export class DocumentsCopies1798700000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE documents ADD COLUMN sending jsonb`);
    await queryRunner.query(`
      CREATE TABLE document_copies (
          id uuid PRIMARY KEY,
          organization_id uuid NOT NULL,
          project_id uuid NOT NULL,
          mode text NOT NULL CONSTRAINT document_copies_mode_check CHECK (mode IN ('live', 'test')),
          document_id uuid NOT NULL,
          revision integer NOT NULL,
          name text NOT NULL,
          email text NOT NULL,
          copy_when text NOT NULL CONSTRAINT document_copies_copy_when_check CHECK (copy_when IN ('sent', 'completed')),
          sent_at timestamptz(3),
          completed_at timestamptz(3),
          version integer NOT NULL DEFAULT 1,
          created_at timestamptz(3) NOT NULL DEFAULT now(),
          updated_at timestamptz(3) NOT NULL DEFAULT now(),
          CONSTRAINT document_copies_document_id_fkey FOREIGN KEY (organization_id, project_id, mode, document_id)
            REFERENCES documents (organization_id, project_id, mode, id) ON DELETE CASCADE
      )`);
    await queryRunner.query(`CREATE INDEX document_copies_document_id_idx ON document_copies (document_id, revision)`);
    await queryRunner.query(`ALTER TABLE document_share_links ADD COLUMN copy_id uuid`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE document_share_links DROP COLUMN copy_id`);
    await queryRunner.query(`DROP TABLE document_copies`);
    await queryRunner.query(`ALTER TABLE documents DROP COLUMN sending`);
  }
}
