import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An inactive field keeps its values, but records cannot get one. */
export class PlatformInactiveCustomFields1798830000045 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE custom_fields ADD COLUMN active boolean NOT NULL DEFAULT true');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE custom_fields DROP COLUMN active');
  }
}
