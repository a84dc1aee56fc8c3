import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Deleted records have the ids of the rows that referred to them until the deletion, so that restoring leads back to them. */
export class PlatformDetachedRows1798866300000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE deleted_records ADD COLUMN detached_ids uuid[] NOT NULL DEFAULT '{}'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE deleted_records DROP COLUMN detached_ids');
  }
}
