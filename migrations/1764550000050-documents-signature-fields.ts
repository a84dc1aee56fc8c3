import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where the parties sign on the pages that were made of a template. */
export class DocumentsSignatureFields1764550000050 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE document_renditions ADD COLUMN fields jsonb NOT NULL DEFAULT '[]'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE document_renditions DROP COLUMN fields`);
  }
}
