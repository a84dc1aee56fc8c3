import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The positions of a type's field values on its pages: one set per type and mode. */
export class DocumentsZones1763740000010 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE document_type_zones (
          id uuid PRIMARY KEY,
          organization_id uuid NOT NULL,
          type_id uuid NOT NULL,
          mode text NOT NULL CONSTRAINT document_type_zones_mode_check CHECK (mode IN ('live', 'test')),
          zones jsonb NOT NULL CONSTRAINT document_type_zones_zones_check CHECK (jsonb_typeof(zones) = 'array'),
          version integer NOT NULL DEFAULT 1,
          created_at timestamptz(3) NOT NULL DEFAULT now(),
          updated_at timestamptz(3) NOT NULL DEFAULT now(),
          CONSTRAINT document_type_zones_type_key UNIQUE (organization_id, type_id, mode),
          CONSTRAINT document_type_zones_type_id_fkey FOREIGN KEY (organization_id, type_id) REFERENCES document_types (organization_id, id)
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE document_type_zones`);
  }
}
