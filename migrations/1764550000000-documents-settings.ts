import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How an organization's documents look to outsiders, who may embed them, and how often they remind. Each organization has one row. */
export class DocumentsSettings1764550000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE document_settings (
          id uuid PRIMARY KEY,
          organization_id uuid NOT NULL CONSTRAINT document_settings_organization_id_key UNIQUE
            CONSTRAINT document_settings_organization_id_fkey REFERENCES organizations (id) ON DELETE CASCADE,
          color text CONSTRAINT document_settings_color_check CHECK (color ~ '^#[0-9a-f]{6}$'),
          logo bytea CONSTRAINT document_settings_logo_check CHECK (length(logo) <= 262144),
          logo_type text CONSTRAINT document_settings_logo_type_check CHECK (logo_type IN ('image/png', 'image/jpeg')),
          logo_sha256 text,
          embed_origins text[] NOT NULL DEFAULT '{}',
          reminder_days integer DEFAULT 3 CONSTRAINT document_settings_reminder_days_check CHECK (reminder_days BETWEEN 1 AND 90),
          reminder_count integer NOT NULL DEFAULT 3
            CONSTRAINT document_settings_reminder_count_check CHECK (reminder_count BETWEEN 1 AND 10),
          version integer NOT NULL DEFAULT 1,
          created_at timestamptz(3) NOT NULL DEFAULT now(),
          updated_at timestamptz(3) NOT NULL DEFAULT now(),
          CONSTRAINT document_settings_logo_whole_check
            CHECK ((logo IS NULL) = (logo_type IS NULL) AND (logo IS NULL) = (logo_sha256 IS NULL))
      )`);
    // the id of an organization is as unique as any, and PostgreSQL before 18 has no function for UUID v7
    await queryRunner.query(`INSERT INTO document_settings (id, organization_id) SELECT id, id FROM organizations`);
    await queryRunner.query(`
      CREATE FUNCTION add_document_settings() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO document_settings (id, organization_id) VALUES (NEW.id, NEW.id);
        RETURN NEW;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER organizations_add_document_settings AFTER INSERT ON organizations
      FOR EACH ROW EXECUTE FUNCTION add_document_settings()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TRIGGER organizations_add_document_settings ON organizations');
    await queryRunner.query('DROP FUNCTION add_document_settings');
    await queryRunner.query('DROP TABLE document_settings');
  }
}
