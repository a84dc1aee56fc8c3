import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Pictures that documents print. */
export class DocumentsImages1798720000010 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE document_images (
          id uuid PRIMARY KEY,
          organization_id uuid NOT NULL,
          project_id uuid NOT NULL,
          mode text NOT NULL CONSTRAINT document_images_mode_check CHECK (mode IN ('live', 'test')),
          sha256 text NOT NULL,
          media_type text NOT NULL CONSTRAINT document_images_media_type_check CHECK (media_type IN ('image/png', 'image/jpeg')),
          width integer NOT NULL,
          height integer NOT NULL,
          bytes bytea NOT NULL,
          version integer NOT NULL DEFAULT 1,
          created_at timestamptz(3) NOT NULL DEFAULT now(),
          updated_at timestamptz(3) NOT NULL DEFAULT now(),
          CONSTRAINT document_images_project_id_fkey FOREIGN KEY (organization_id, project_id)
            REFERENCES projects (organization_id, id),
          CONSTRAINT document_images_sha256_key UNIQUE (project_id, mode, sha256)
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE document_images`);
  }
}
