import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An approver may be asked in place of the submitter. */
export class DocumentsApprovalSubstitutes1763760000110 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE approval_requests ADD COLUMN in_place_of uuid`);
    await queryRunner.query(
      `ALTER TABLE approval_requests ADD CONSTRAINT approval_requests_in_place_of_fkey
         FOREIGN KEY (organization_id, in_place_of) REFERENCES members (organization_id, id)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE approval_requests DROP COLUMN in_place_of`);
  }
}
