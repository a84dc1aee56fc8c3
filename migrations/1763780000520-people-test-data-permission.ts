import type { MigrationInterface, QueryRunner } from 'typeorm';

const ROLES = ['owner', 'admin', 'developer'];
const ADDED = ['org.developer.testdata.erase'];

/** The built-in roles of existing organizations get the permission to erase test data. */
export class PeopleTestDataPermission1763780000520 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const role of ROLES) {
      await queryRunner.query(
        `UPDATE roles SET permissions = permissions || ARRAY(SELECT p FROM unnest($2::text[]) WITH ORDINALITY AS added(p, place)
          WHERE p <> ALL (permissions) ORDER BY place),
           version = version + 1, updated_at = now()
         WHERE name = $1 AND NOT permissions @> $2::text[]`,
        [role, ADDED],
      );
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const role of ROLES) {
      await queryRunner.query(
        `UPDATE roles SET permissions = ARRAY(SELECT p FROM unnest(permissions) WITH ORDINALITY AS held(p, place)
          WHERE p <> ALL ($2::text[]) ORDER BY place),
           version = version + 1, updated_at = now()
         WHERE name = $1 AND permissions && $2::text[]`,
        [role, ADDED],
      );
    }
  }
}
