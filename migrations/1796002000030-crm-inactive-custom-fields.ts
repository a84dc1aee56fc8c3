import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A custom field that records have is made inactive instead of being deleted. */
export class CrmInactiveCustomFields1796002000030 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE crm_custom_fields ADD COLUMN active boolean NOT NULL DEFAULT true');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE crm_custom_fields DROP COLUMN active');
  }
}
