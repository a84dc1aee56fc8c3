import type { MigrationInterface, QueryRunner } from 'typeorm';

const WORK = ['desk.ticket.manage'];
const ADDED: Record<string, string[]> = {
  owner: [...WORK, 'desk.setup.manage'],
  admin: [...WORK, 'desk.setup.manage'],
  member: WORK,
};

/** The built-in roles of existing organizations get the permissions for the service desk. */
export class PeopleDeskPermissions1764300000020 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [role, added] of Object.entries(ADDED)) {
      await queryRunner.query(
        `UPDATE roles SET permissions = permissions || ARRAY(SELECT p FROM unnest($2::text[]) WITH ORDINALITY AS added(p, place)
          WHERE p <> ALL (permissions) ORDER BY place),
           version = version + 1, updated_at = now()
         WHERE name = $1 AND NOT permissions @> $2::text[]`,
        [role, added],
      );
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const [role, added] of Object.entries(ADDED)) {
      await queryRunner.query(
        `UPDATE roles SET permissions = ARRAY(SELECT p FROM unnest(permissions) WITH ORDINALITY AS held(p, place)
          WHERE p <> ALL ($2::text[]) ORDER BY place),
           version = version + 1, updated_at = now()
         WHERE name = $1 AND permissions && $2::text[]`,
        [role, added],
      );
    }
  }
}
