import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = { document_images: 'bytes_object_id', document_settings: 'logo_object_id' };

/** Outside of a transaction, so that nothing waits while the tables are read. */
export class DocumentsPictureObjectIndexes1798864200112 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [table, column] of Object.entries(COLUMNS)) {
      const index = `${table}_${column}_idx`;
      // an invalid one is left behind if it was interrupted
      await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`);
      await queryRunner.query(`CREATE INDEX CONCURRENTLY ${index} ON ${table} (${column}) WHERE ${column} IS NOT NULL`);
      await queryRunner.query(`ALTER TABLE ${table} VALIDATE CONSTRAINT ${table}_${column}_fkey`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const [table, column] of Object.entries(COLUMNS)) {
      await queryRunner.query(`DROP INDEX ${table}_${column}_idx`);
      await queryRunner.query(`
        ALTER TABLE ${table} DROP CONSTRAINT ${table}_${column}_fkey,
          ADD CONSTRAINT ${table}_${column}_fkey FOREIGN KEY (organization_id, ${column})
            REFERENCES objects (organization_id, id) NOT VALID`);
    }
  }
}
