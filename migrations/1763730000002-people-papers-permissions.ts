import type { MigrationInterface, QueryRunner } from 'typeorm';

const ADDED: Record<string, string[]> = {
  owner: ['papers.document.view', 'papers.document.manage', 'papers.document.override', 'papers.setup.manage', 'papers.ai.run'],
  admin: ['papers.document.view', 'papers.document.manage', 'papers.document.override', 'papers.setup.manage', 'papers.ai.run'],
  member: ['papers.document.view', 'papers.document.manage', 'papers.ai.run'],
};

/** Built-in roles already have `papers.document.approve`; the other permissions are new. */
export class PeoplePapersPermissions1763730000002 implements MigrationInterface {
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
