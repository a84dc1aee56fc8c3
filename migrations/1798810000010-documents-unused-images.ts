import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a picture is deleted if nothing names it. */
export class DocumentsUnusedImages1798810000010 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE document_images ADD COLUMN kept_until timestamptz(3) NOT NULL DEFAULT now() + interval '30 days'`);
    await queryRunner.query('ALTER TABLE document_images ALTER COLUMN kept_until DROP DEFAULT');
    await queryRunner.query('CREATE INDEX document_images_kept_until_idx ON document_images (kept_until)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE document_images DROP COLUMN kept_until');
  }
}
