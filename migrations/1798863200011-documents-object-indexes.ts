import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['document_files', 'document_renditions', 'document_type_files'];

/** Outside of a transaction, so that nothing waits while the tables are read. */
export class DocumentsObjectIndexes1798863200011 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      const index = `${table}_pdf_object_id_idx`;
      // an invalid one is left behind if it was interrupted
      await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`);
      await queryRunner.query(`CREATE INDEX CONCURRENTLY ${index} ON ${table} (pdf_object_id) WHERE pdf_object_id IS NOT NULL`);
      await queryRunner.query(`ALTER TABLE ${table} VALIDATE CONSTRAINT ${table}_pdf_object_id_fkey`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await queryRunner.query(`DROP INDEX ${table}_pdf_object_id_idx`);
      await queryRunner.query(`
        ALTER TABLE ${table} DROP CONSTRAINT ${table}_pdf_object_id_fkey,
          ADD CONSTRAINT ${table}_pdf_object_id_fkey FOREIGN KEY (organization_id, pdf_object_id)
            REFERENCES objects (organization_id, id) NOT VALID`);
    }
  }
}
