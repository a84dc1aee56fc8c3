import type { MigrationInterface, QueryRunner } from 'typeorm';

const GIVEN = ['owner', 'admin', 'developer', 'member'];

/** Organizations make roles of their own beside the given ones, which cannot be changed. */
export class PeopleOwnRoles1763800000074 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE roles
        ADD COLUMN built_in boolean NOT NULL DEFAULT false,
        ADD COLUMN description text`);
    await queryRunner.query(`UPDATE roles SET built_in = true WHERE name = ANY ($1)`, [GIVEN]);
    await queryRunner.query(`CREATE INDEX roles_created_at_idx ON roles (organization_id, created_at, id)`);
    await queryRunner.query(`CREATE INDEX members_role_id_idx ON members (role_id)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX members_role_id_idx`);
    await queryRunner.query(`DROP INDEX roles_created_at_idx`);
    await queryRunner.query(`ALTER TABLE roles DROP COLUMN built_in, DROP COLUMN description`);
  }
}
