import type { MigrationInterface, QueryRunner } from 'typeorm';

const BASE = `
        version integer NOT NULL DEFAULT 1,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now()`;

const project = (table: string) =>
  `CONSTRAINT ${table}_project_id_fkey FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id)`;

/** The configuration of a project's CRM: pipelines with stages, lead sources, custom fields, assignment rules, settings. */
export class CrmConfiguration1763710000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE crm_pipelines (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        kind text NOT NULL CONSTRAINT crm_pipelines_kind_check CHECK (kind IN ('lead', 'deal')),
        name text NOT NULL CONSTRAINT crm_pipelines_name_check CHECK (length(name) BETWEEN 1 AND 100),
        is_default boolean NOT NULL DEFAULT false,${BASE},
        CONSTRAINT crm_pipelines_reference_key UNIQUE (organization_id, project_id, kind, id),
        ${project('crm_pipelines')}
      )`);
    await queryRunner.query(`CREATE UNIQUE INDEX crm_pipelines_name_key ON crm_pipelines (project_id, kind, lower(name))`);
    await queryRunner.query(`CREATE UNIQUE INDEX crm_pipelines_default_key ON crm_pipelines (project_id, kind) WHERE is_default`);

    await queryRunner.query(`
      CREATE TABLE crm_stages (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        pipeline_id uuid NOT NULL,
        pipeline_kind text NOT NULL,
        name text NOT NULL CONSTRAINT crm_stages_name_check CHECK (length(name) BETWEEN 1 AND 100),
        kind text NOT NULL CONSTRAINT crm_stages_kind_check CHECK (kind IN ('open', 'won', 'lost')),
        position integer NOT NULL,${BASE},
        CONSTRAINT crm_stages_reference_key UNIQUE (organization_id, project_id, pipeline_kind, pipeline_id, kind, id),
        CONSTRAINT crm_stages_pipeline_id_fkey FOREIGN KEY (organization_id, project_id, pipeline_kind, pipeline_id)
          REFERENCES crm_pipelines (organization_id, project_id, kind, id) ON DELETE CASCADE
      )`);
    await queryRunner.query(`CREATE UNIQUE INDEX crm_stages_name_key ON crm_stages (pipeline_id, lower(name))`);

    await queryRunner.query(`
      CREATE TABLE lead_sources (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        name text NOT NULL CONSTRAINT lead_sources_name_check CHECK (length(name) BETWEEN 1 AND 100),${BASE},
        CONSTRAINT lead_sources_reference_key UNIQUE (organization_id, project_id, id),
        ${project('lead_sources')}
      )`);
    await queryRunner.query(`CREATE UNIQUE INDEX lead_sources_name_key ON lead_sources (project_id, lower(name))`);

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
        required boolean NOT NULL DEFAULT false,${BASE},
        CONSTRAINT crm_custom_fields_options_check
          CHECK ((cardinality(options) > 0) = (type IN ('select', 'multi_select')) AND cardinality(options) <= 200),
        CONSTRAINT crm_custom_fields_key_key UNIQUE (project_id, resource, key),
        ${project('crm_custom_fields')}
      )`);

    await queryRunner.query(`
      CREATE TABLE lead_assignment_rules (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        name text NOT NULL CONSTRAINT lead_assignment_rules_name_check CHECK (length(name) BETWEEN 1 AND 100),
        position integer NOT NULL,
        active boolean NOT NULL DEFAULT true,
        conditions jsonb NOT NULL CONSTRAINT lead_assignment_rules_conditions_check CHECK (jsonb_typeof(conditions) = 'array'),
        assign text NOT NULL CONSTRAINT lead_assignment_rules_assign_check CHECK (assign IN ('user', 'round_robin', 'least_open')),
        member_ids uuid[] NOT NULL,${BASE},
        CONSTRAINT lead_assignment_rules_member_ids_check
          CHECK (cardinality(member_ids) BETWEEN 1 AND 100 AND (assign <> 'user' OR cardinality(member_ids) = 1)),
        ${project('lead_assignment_rules')}
      )`);
    await queryRunner.query(`CREATE INDEX lead_assignment_rules_position_idx ON lead_assignment_rules (project_id, position, id)`);

    await queryRunner.query(`
      CREATE TABLE crm_settings (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL CONSTRAINT crm_settings_project_id_key UNIQUE,
        default_country text CONSTRAINT crm_settings_default_country_check CHECK (default_country ~ '^[A-Z]{2}$'),${BASE},
        ${project('crm_settings')}
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE crm_settings, lead_assignment_rules, crm_custom_fields, lead_sources, crm_stages, crm_pipelines`);
  }
}
