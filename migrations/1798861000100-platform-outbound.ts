import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The installation knows the database that it runs on, to recognize a copy. */
export class PlatformOutbound1798861000100 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE installation ADD COLUMN database_identity text');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE installation DROP COLUMN database_identity');
  }
}
