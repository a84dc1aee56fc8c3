import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Form fields of uploaded PDFs, as they were when the file was uploaded. */
export class DocumentsFormFieldsOfFiles1798300000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE document_files ADD COLUMN form_fields jsonb NOT NULL DEFAULT '[]'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE document_files DROP COLUMN form_fields');
  }
}
