import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Notes which permissions the default roles of all organizations have. Each start gives them those that are new, so migrations that
 * grant permissions are no longer needed.
 */
export class PeopleDefaultPermissions1797200000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE default_permissions (
        role text NOT NULL,
        permission text NOT NULL,
        applied_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT default_permissions_pkey PRIMARY KEY (role, permission)
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE default_permissions`);
  }
}
