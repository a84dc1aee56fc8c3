import type { MigrationInterface, QueryRunner } from 'typeorm';

export class DocumentsCustomFields1798859000030 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE documents ADD COLUMN custom_fields jsonb NOT NULL DEFAULT '{}'
        CONSTRAINT documents_custom_fields_check CHECK (jsonb_typeof(custom_fields) = 'object')`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE documents DROP COLUMN custom_fields');
  }
}
