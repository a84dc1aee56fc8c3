import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEX = 'document_files_removed_at_idx';

/** For the retention of removed files. Outside of a transaction, so that nothing waits while the table is read. */
export class DocumentsRemovedFilesIndex1798866200010 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    // an invalid one is left behind if it was interrupted
    await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${INDEX}`);
    await queryRunner.query(`CREATE INDEX CONCURRENTLY ${INDEX} ON document_files (removed_at) WHERE removed_at IS NOT NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX ${INDEX}`);
  }
}
