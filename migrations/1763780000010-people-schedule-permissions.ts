import type { MigrationInterface, QueryRunner } from 'typeorm';

const MEMBERS = ['schedule.event.view', 'schedule.event.manage', 'schedule.booking.manage'];
const ADDED: Record<string, string[]> = {
  owner: ['schedule.setup.manage', ...MEMBERS],
  admin: ['schedule.setup.manage', ...MEMBERS],
  member: MEMBERS,
};

/** The built-in roles of existing organizations get the permissions of the schedule module. */
export class PeopleSchedulePermissions1763780000010 implements MigrationInterface {
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
