import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Files that were removed from their document and can be restored. */
export class DocumentsRemovedFiles1798866200000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE document_files ADD COLUMN removed_at timestamptz(3), ADD COLUMN removed_as jsonb,
        ADD CONSTRAINT document_files_removed_check CHECK ((removed_at IS NULL) = (removed_as IS NULL))`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DELETE FROM document_files WHERE removed_at IS NOT NULL');
    await queryRunner.query('ALTER TABLE document_files DROP COLUMN removed_at, DROP COLUMN removed_as');
  }
}
