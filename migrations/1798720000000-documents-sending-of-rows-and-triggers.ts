import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How the documents of bulk sends and triggers are sent. */
export class DocumentsSendingOfRowsAndTriggers1798720000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE document_bulk_send_rows ADD COLUMN sending jsonb`);
    await queryRunner.query(`ALTER TABLE generation_triggers ADD COLUMN sending jsonb`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE generation_triggers DROP COLUMN sending`);
    await queryRunner.query(`ALTER TABLE document_bulk_send_rows DROP COLUMN sending`);
  }
}
