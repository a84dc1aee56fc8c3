import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Types of documents that consist of several files. */
export class DocumentsSeveralTypeFiles1798810000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE document_types ADD COLUMN files jsonb NOT NULL DEFAULT '[]'`);
    await queryRunner.query(`ALTER TABLE document_type_versions ADD COLUMN files jsonb NOT NULL DEFAULT '[]'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE document_type_versions DROP COLUMN files');
    await queryRunner.query('ALTER TABLE document_types DROP COLUMN files');
  }
}
