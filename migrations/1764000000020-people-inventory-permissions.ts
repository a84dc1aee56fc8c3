import type { MigrationInterface, QueryRunner } from 'typeorm';

const WORK = ['inventory.stock.view', 'inventory.stock.manage'];
const ADDED: Record<string, string[]> = {
  owner: [...WORK, 'inventory.setup.manage'],
  admin: [...WORK, 'inventory.setup.manage'],
  member: WORK,
};

/** The built-in roles of existing organizations get the permissions for the inventory. */
export class PeopleInventoryPermissions1764000000020 implements MigrationInterface {
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
