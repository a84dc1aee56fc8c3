import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['leads', 'contacts', 'deals'];

/** The custom fields of leads, contacts and deals are those of all resources; values and ids stay. */
export class CrmCustomFields1798830000050 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      INSERT INTO custom_fields (id, organization_id, project_id, resource, key, label, type, options, required, position, active, version,
        created_at, updated_at)
      SELECT id, organization_id, project_id, resource, key, label,
        CASE type WHEN 'select' THEN 'choice' WHEN 'multi_select' THEN 'choices' ELSE type END, options, required,
        row_number() OVER (PARTITION BY organization_id, resource ORDER BY created_at, id), active, version, created_at, updated_at
      FROM crm_custom_fields`);
    await queryRunner.query('DROP TABLE crm_custom_fields');
    for (const table of TABLES) await queryRunner.query(`ALTER TABLE ${table} ALTER COLUMN custom_fields SET DEFAULT '{}'`);
  }

  /** Fields of other types, of all projects and deleted ones are lost. */
  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) await queryRunner.query(`ALTER TABLE ${table} ALTER COLUMN custom_fields DROP DEFAULT`);
    await queryRunner.query(`
      CREATE TABLE crm_custom_fields (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        resource text NOT NULL CONSTRAINT crm_custom_fields_resource_check CHECK (resource IN ('lead', 'contact', 'deal')),
        key text NOT NULL CONSTRAINT crm_custom_fields_key_check CHECK (key ~ '^[a-z][a-z0-9_]{0,62}$'),
        label text NOT NULL CONSTRAINT crm_custom_fields_label_check CHECK (length(label) BETWEEN 1 AND 100),
        type text NOT NULL CONSTRAINT crm_custom_fields_type_check
          CHECK (type IN ('text', 'number', 'boolean', 'date', 'select', 'multi_select', 'url')),
        options text[] NOT NULL DEFAULT '{}',
        required boolean NOT NULL DEFAULT false,
        version integer NOT NULL DEFAULT 1,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        active boolean NOT NULL DEFAULT true,
        CONSTRAINT crm_custom_fields_options_check
          CHECK ((cardinality(options) > 0) = (type IN ('select', 'multi_select')) AND cardinality(options) <= 200),
        CONSTRAINT crm_custom_fields_key_key UNIQUE (project_id, resource, key),
        CONSTRAINT crm_custom_fields_project_id_fkey FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id)
      )`);
    await queryRunner.query(`
      INSERT INTO crm_custom_fields (id, organization_id, project_id, resource, key, label, type, options, required, active, version,
        created_at, updated_at)
      SELECT id, organization_id, project_id, resource, key, label,
        CASE type WHEN 'choice' THEN 'select' WHEN 'choices' THEN 'multi_select' ELSE type END, options, required, active, version,
        created_at, updated_at
      FROM custom_fields WHERE resource IN ('lead', 'contact', 'deal') AND project_id IS NOT NULL AND deleted_at IS NULL
        AND type IN ('text', 'number', 'boolean', 'date', 'choice', 'choices', 'url')`);
    await queryRunner.query(`DELETE FROM custom_fields WHERE resource IN ('lead', 'contact', 'deal')`);
  }
}
