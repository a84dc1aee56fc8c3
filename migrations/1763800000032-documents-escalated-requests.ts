import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An overdue step can be handed to a group of any size: its members share unnamed requests. */
export class DocumentsEscalatedRequests1763800000032 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE approval_requests ADD COLUMN is_escalated boolean NOT NULL DEFAULT false`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE approval_requests DROP COLUMN is_escalated`);
  }
}
