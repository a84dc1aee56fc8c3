import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Digital signatures that uploaded PDFs already had. */
export class DocumentsEarlierSignaturesOfFiles1798300000010 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE document_files ADD COLUMN earlier_signatures jsonb NOT NULL DEFAULT '[]'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE document_files DROP COLUMN earlier_signatures');
  }
}
