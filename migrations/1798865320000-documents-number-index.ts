import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEX = 'documents_number_idx';

/** For numbers that paths have in place of ids. Outside of a transaction, so that nothing waits while the table is read. */
export class DocumentsNumberIndex1798865320000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    // an invalid one is left behind if it was interrupted
    await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${INDEX}`);
    await queryRunner.query(`CREATE INDEX CONCURRENTLY ${INDEX} ON documents (organization_id, mode, number) WHERE number IS NOT NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX ${INDEX}`);
  }
}
