import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Conditions of generation triggers. */
export class DocumentsTriggerConditions1763760000030 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE generation_triggers ADD COLUMN conditions jsonb NOT NULL DEFAULT '[]'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE generation_triggers DROP COLUMN conditions`);
  }
}
