import type { MigrationInterface, QueryRunner } from 'typeorm';

const BASE = `
          version integer NOT NULL DEFAULT 1,
          created_at timestamptz(3) NOT NULL DEFAULT now(),
          updated_at timestamptz(3) NOT NULL DEFAULT now()`;

/** Public forms, their submissions, and the bridges that pass submissions on. */
export class DocumentsIntakeForms1763740000031 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await createForms(queryRunner);
    await createSubmissions(queryRunner);
    await createBridges(queryRunner);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX document_audit_entries_bridge_idx, document_audit_entries_bridge_key`);
    await queryRunner.query(`DROP TABLE intake_bridges, form_submissions, intake_forms`);
  }
}

async function createForms(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
      CREATE TABLE intake_forms (
          id uuid PRIMARY KEY,
          organization_id uuid NOT NULL,
          project_id uuid CONSTRAINT intake_forms_project_id_check CHECK (project_id IS NOT NULL),
          slug text NOT NULL CONSTRAINT intake_forms_slug_check CHECK (slug ~ '^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$'),
          title text NOT NULL,
          description text,
          fields jsonb NOT NULL,
          success_message text,
          active boolean NOT NULL DEFAULT true,${BASE},
          CONSTRAINT intake_forms_organization_id_id_key UNIQUE (organization_id, id),
          CONSTRAINT intake_forms_project_id_fkey FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id)
      )`);
  await queryRunner.query(`CREATE UNIQUE INDEX intake_forms_slug_key ON intake_forms (slug)`);
  await queryRunner.query(`CREATE INDEX intake_forms_created_at_idx ON intake_forms (organization_id, created_at, id)`);
}

async function createSubmissions(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
      CREATE TABLE form_submissions (
          id uuid PRIMARY KEY,
          organization_id uuid NOT NULL,
          project_id uuid NOT NULL,
          mode text NOT NULL CONSTRAINT form_submissions_mode_check CHECK (mode IN ('live', 'test')),
          form_id uuid NOT NULL,
          answers jsonb NOT NULL CONSTRAINT form_submissions_answers_check CHECK (jsonb_typeof(answers) = 'object'),
          token uuid NOT NULL,
          address text NOT NULL,
          user_agent text,${BASE},
          CONSTRAINT form_submissions_project_id_fkey FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id),
          CONSTRAINT form_submissions_form_id_fkey FOREIGN KEY (organization_id, form_id) REFERENCES intake_forms (organization_id, id)
      )`);
  await queryRunner.query(`CREATE INDEX form_submissions_form_id_idx ON form_submissions (form_id, created_at, id)`);
  await queryRunner.query(`CREATE UNIQUE INDEX form_submissions_token_key ON form_submissions (form_id, token)`);
  await queryRunner.query(`CREATE INDEX form_submissions_address_idx ON form_submissions (form_id, address, created_at)`);
}

async function createBridges(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
      CREATE TABLE intake_bridges (
          id uuid PRIMARY KEY,
          organization_id uuid NOT NULL,
          project_id uuid,
          form_id uuid NOT NULL,
          name text NOT NULL,
          target text NOT NULL CONSTRAINT intake_bridges_target_check CHECK (target IN ('lead', 'task')),
          field_map jsonb NOT NULL,
          active boolean NOT NULL DEFAULT true,${BASE},
          CONSTRAINT intake_bridges_form_id_fkey
            FOREIGN KEY (organization_id, form_id) REFERENCES intake_forms (organization_id, id) ON DELETE CASCADE
      )`);
  await queryRunner.query(`CREATE INDEX intake_bridges_form_id_idx ON intake_bridges (form_id, created_at, id)`);
  await queryRunner.query(
    `CREATE UNIQUE INDEX document_audit_entries_bridge_key
      ON document_audit_entries (trigger_id, event_id) WHERE action = 'papers.intake_bridge'`,
  );
  await queryRunner.query(
    `CREATE INDEX document_audit_entries_bridge_idx
      ON document_audit_entries (organization_id, mode, created_at, id) WHERE action = 'papers.intake_bridge'`,
  );
}
