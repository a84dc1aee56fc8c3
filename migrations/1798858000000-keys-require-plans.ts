import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A key can be made to ask before it deletes or reaches people. */
export class KeysRequirePlans1798858000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE api_keys ADD COLUMN requires_plan boolean NOT NULL DEFAULT false`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE api_keys DROP COLUMN requires_plan`);
  }
}
