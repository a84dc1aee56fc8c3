import type { MigrationInterface, QueryRunner } from 'typeorm';
import { uuidv7 } from 'uuidv7';

interface ProjectRow {
  organization_id: string;
  project_id: string;
}

const STATUSES = [
  ['New', 'new'],
  ['Open', 'open'],
  ['Pending', 'pending'],
  ['On hold', 'on_hold'],
  ['Solved', 'solved'],
  ['Closed', 'closed'],
] as const;

/** Gives existing projects the defaults that new projects get on creation. */
export class DeskDefaults1764300000030 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const projects = (await queryRunner.query(
      `SELECT organization_id, id AS project_id FROM projects p
       WHERE NOT EXISTS (SELECT FROM desk_settings s WHERE s.project_id = p.id)`,
    )) as ProjectRow[];
    for (const project of projects) await setUp(queryRunner, project);
  }

  /** Keeps the rows, which may be in use by now; reverting an earlier migration drops their tables. */
  async down(): Promise<void> {}
}

async function setUp(queryRunner: QueryRunner, { organization_id, project_id }: ProjectRow): Promise<void> {
  const insert = (table: string, columns: string, ...given: unknown[]) => {
    const values = [organization_id, project_id, uuidv7(), ...given];
    return queryRunner.query(
      `INSERT INTO ${table} (organization_id, project_id, id, ${columns}) VALUES (${values.map((_, index) => `$${index + 1}`).join(', ')})`,
      values,
    );
  };
  await insert('desk_settings', 'close_after_days', 4);
  await insert('desk_queues', 'name, is_default, position', 'Support', true, 1);
  for (const [index, status] of STATUSES.entries())
    await insert('desk_statuses', 'name, category, is_default, position', ...status, true, index + 1);
}
