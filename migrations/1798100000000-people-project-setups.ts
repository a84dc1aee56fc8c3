import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Notes which modules have set up which projects. The next start notes what exists, and sets up projects for modules that came later. */
export class PeopleProjectSetups1798100000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE project_setups (
        project_id uuid NOT NULL CONSTRAINT project_setups_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
        module text NOT NULL,
        applied_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT project_setups_pkey PRIMARY KEY (project_id, module)
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE project_setups`);
  }
}
