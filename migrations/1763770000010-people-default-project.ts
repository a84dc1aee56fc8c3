import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Organizations get a default project: the first that is not archived, or else the first. */
export class PeopleDefaultProject1763770000010 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE projects ADD COLUMN is_default boolean NOT NULL DEFAULT false');
    await queryRunner.query(`
      UPDATE projects SET is_default = true WHERE id IN (
        SELECT DISTINCT ON (organization_id) id FROM projects ORDER BY organization_id, (status = 'archived'), created_at, id
      )`);
    await queryRunner.query('CREATE UNIQUE INDEX projects_default_key ON projects (organization_id) WHERE is_default');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE projects DROP COLUMN is_default');
  }
}
