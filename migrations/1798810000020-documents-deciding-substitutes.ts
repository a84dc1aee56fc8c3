import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who decided a request while its approver was away. */
export class DocumentsDecidingSubstitutes1798810000020 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE approval_requests ADD COLUMN substitute_id uuid');
    await queryRunner.query(`
      ALTER TABLE approval_requests ADD CONSTRAINT approval_requests_substitute_id_fkey
        FOREIGN KEY (organization_id, substitute_id) REFERENCES members (organization_id, id)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE approval_requests DROP COLUMN substitute_id');
  }
}
