import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Triggers, and trigger runs without a project. */
export class DocumentsGenerationTriggers1763740000030 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE generation_triggers (
          id uuid PRIMARY KEY,
          organization_id uuid NOT NULL,
          project_id uuid,
          name text NOT NULL CONSTRAINT generation_triggers_name_check CHECK (length(name) BETWEEN 1 AND 100),
          event_type text NOT NULL,
          document_type_id uuid NOT NULL,
          title_template text NOT NULL,
          source_map jsonb NOT NULL,
          auto_submit boolean NOT NULL DEFAULT false,
          auto_finalize boolean NOT NULL DEFAULT false,
          active boolean NOT NULL DEFAULT true,
          version integer NOT NULL DEFAULT 1,
          created_at timestamptz(3) NOT NULL DEFAULT now(),
          updated_at timestamptz(3) NOT NULL DEFAULT now(),
          CONSTRAINT generation_triggers_project_id_fkey
            FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id),
          CONSTRAINT generation_triggers_document_type_id_fkey
            FOREIGN KEY (organization_id, document_type_id) REFERENCES document_types (organization_id, id)
      )`);
    await queryRunner.query(
      `CREATE INDEX generation_triggers_event_type_idx ON generation_triggers (organization_id, event_type) WHERE active`,
    );
    await queryRunner.query(`CREATE INDEX generation_triggers_created_at_idx ON generation_triggers (organization_id, created_at, id)`);
    await queryRunner.query(`ALTER TABLE document_audit_entries ALTER COLUMN project_id DROP NOT NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE document_audit_entries DISABLE TRIGGER USER`);
    await queryRunner.query(`DELETE FROM document_audit_entries WHERE project_id IS NULL`);
    await queryRunner.query(`ALTER TABLE document_audit_entries ENABLE TRIGGER USER`);
    await queryRunner.query(`ALTER TABLE document_audit_entries ALTER COLUMN project_id SET NOT NULL`);
    await queryRunner.query(`DROP TABLE generation_triggers`);
  }
}
