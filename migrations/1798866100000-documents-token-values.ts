import type { MigrationInterface, QueryRunner } from 'typeorm';

export class DocumentsTokenValues1798866100000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE documents ADD COLUMN token_values jsonb NOT NULL DEFAULT '{}'
        CONSTRAINT documents_token_values_check CHECK (jsonb_typeof(token_values) = 'object')`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE documents DROP COLUMN token_values');
  }
}
