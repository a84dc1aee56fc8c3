import type { MigrationInterface, QueryRunner } from 'typeorm';
import { uuidv7 } from 'uuidv7';

interface ProjectRow {
  organization_id: string;
  project_id: string;
}

const STAGES = {
  lead: [
    ['New', 'open'],
    ['Contacted', 'open'],
    ['Qualified', 'won'],
    ['Unqualified', 'lost'],
  ],
  deal: [
    ['Qualification', 'open'],
    ['Proposal', 'open'],
    ['Negotiation', 'open'],
    ['Won', 'won'],
    ['Lost', 'lost'],
  ],
} as const;

const SOURCES = ['Website', 'Referral', 'Event', 'Advertisement'];

/** Gives existing projects the defaults that new projects get on creation. */
export class CrmDefaults1763710000002 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const projects = (await queryRunner.query(
      `SELECT organization_id, id AS project_id FROM projects p WHERE NOT EXISTS (SELECT FROM crm_settings s WHERE s.project_id = p.id)`,
    )) as ProjectRow[];
    for (const project of projects) await setUp(queryRunner, project);
  }

  /** Keeps the rows, which may be in use by now; reverting the previous migration drops their tables. */
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
  await insert('crm_settings', 'default_country', null);
  for (const kind of ['lead', 'deal'] as const) {
    await insert('crm_pipelines', 'kind, name, is_default', kind, kind === 'lead' ? 'Leads' : 'Sales', true);
    const [{ id }] = (await queryRunner.query(`SELECT id FROM crm_pipelines WHERE project_id = $1 AND kind = $2`, [project_id, kind])) as {
      id: string;
    }[];
    for (const [index, [name, stage]] of STAGES[kind].entries())
      await insert('crm_stages', 'pipeline_id, pipeline_kind, name, kind, position', id, kind, name, stage, index + 1);
  }
  for (const name of SOURCES) await insert('lead_sources', 'name', name);
}
