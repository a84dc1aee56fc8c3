import type { MigrationInterface, QueryRunner } from 'typeorm';

const MEMBERS = ['storefront.product.manage', 'storefront.order.manage'];
const ADDED: Record<string, string[]> = {
  owner: ['storefront.setup.manage', ...MEMBERS],
  admin: ['storefront.setup.manage', ...MEMBERS],
  member: MEMBERS,
};

/** The built-in roles of existing organizations get the permissions of the storefront module. */
export class PeopleStorefrontPermissions1764100000020 implements MigrationInterface {
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
