import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Entries of the credit ledger name the document that was analyzed, and so do the runs that they are booked for. */
export class DocumentsCreditDocuments1798863400000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE ai_runs ADD COLUMN document_id uuid');
    await queryRunner.query('ALTER TABLE ai_credit_entries ADD COLUMN document_id uuid');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE ai_credit_entries DROP COLUMN document_id');
    await queryRunner.query('ALTER TABLE ai_runs DROP COLUMN document_id');
  }
}
