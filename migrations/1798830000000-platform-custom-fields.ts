import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The fields that administrators add to the resources of modules. */
export class PlatformCustomFields1798830000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE custom_fields (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        project_id uuid,
        resource text NOT NULL,
        key text NOT NULL CONSTRAINT custom_fields_key_check CHECK (key ~ '^[a-z][a-z0-9_]{0,62}$'),
        label text NOT NULL CONSTRAINT custom_fields_label_check CHECK (length(label) BETWEEN 1 AND 100),
        description text CONSTRAINT custom_fields_description_check CHECK (length(description) <= 500),
        type text NOT NULL,
        options text[] NOT NULL DEFAULT '{}' CONSTRAINT custom_fields_options_check
          CHECK ((cardinality(options) > 0) = (type IN ('choice', 'choices')) AND cardinality(options) <= 200),
        currency text CONSTRAINT custom_fields_currency_check CHECK ((currency IS NOT NULL) = (type = 'money')),
        required boolean NOT NULL DEFAULT false,
        "unique" boolean NOT NULL DEFAULT false,
        filterable boolean NOT NULL DEFAULT false,
        default_value jsonb,
        "group" text CONSTRAINT custom_fields_group_check CHECK (length("group") BETWEEN 1 AND 100),
        position integer NOT NULL,
        deleted_at timestamptz(3),
        version integer NOT NULL DEFAULT 1,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT custom_fields_organization_fkey FOREIGN KEY (organization_id) REFERENCES organizations (id),
        CONSTRAINT custom_fields_project_id_fkey FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id),
        CONSTRAINT custom_fields_unique_check CHECK (filterable OR NOT "unique")
      )`);
    // a key means one thing in each project: creating a field of the organization also looks at those of projects, under a mutex
    await queryRunner.query(
      `CREATE UNIQUE INDEX custom_fields_key_key ON custom_fields (organization_id, resource, key, project_id) NULLS NOT DISTINCT`,
    );
    await queryRunner.query(`CREATE INDEX custom_fields_position_idx ON custom_fields (organization_id, position, id)`);
    await queryRunner.query(`CREATE INDEX custom_fields_created_at_idx ON custom_fields (organization_id, created_at, id)`);
    await queryRunner.query(`CREATE INDEX custom_fields_deleted_at_idx ON custom_fields (deleted_at) WHERE deleted_at IS NOT NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE custom_fields');
  }
}
