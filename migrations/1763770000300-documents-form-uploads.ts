import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Intake forms that visitors can fill in from a PDF. */
export class DocumentsFormUploads1763770000300 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE intake_forms ADD COLUMN document_type_id uuid`);
    await queryRunner.query(
      `ALTER TABLE intake_forms ADD CONSTRAINT intake_forms_document_type_id_fkey
         FOREIGN KEY (organization_id, document_type_id) REFERENCES document_types (organization_id, id)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE intake_forms DROP COLUMN document_type_id`);
  }
}
