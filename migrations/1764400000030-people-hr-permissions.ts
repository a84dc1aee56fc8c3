import type { MigrationInterface, QueryRunner } from 'typeorm';

const ADDED = ['hr.setup.manage', 'hr.employee.manage', 'hr.leave.decide', 'hr.private.manage'];
const ROLES = ['owner', 'admin'];

/** The built-in roles of existing organizations get the permissions of the HR module. */
export class PeopleHrPermissions1764400000030 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `UPDATE roles SET permissions = permissions || ARRAY(SELECT p FROM unnest($2::text[]) WITH ORDINALITY AS added(p, place)
        WHERE p <> ALL (permissions) ORDER BY place),
         version = version + 1, updated_at = now()
       WHERE name = ANY($1) AND NOT permissions @> $2::text[]`,
      [ROLES, ADDED],
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `UPDATE roles SET permissions = ARRAY(SELECT p FROM unnest(permissions) WITH ORDINALITY AS held(p, place)
        WHERE p <> ALL ($2::text[]) ORDER BY place),
         version = version + 1, updated_at = now()
       WHERE name = ANY($1) AND permissions && $2::text[]`,
      [ROLES, ADDED],
    );
  }
}
