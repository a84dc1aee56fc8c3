import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApp } from '../../../../../test/harness/hosted-app.js';
import { WorkflowFixture } from '../../testing/workflow-fixture.js';

/** More rows than fit on a few table pages, so that filtering a scan costs more than using an index. */
const MANY = 3_000;

const app = await sharedApp();
let workflow: WorkflowFixture;
let sample: string;

beforeAll(async () => {
  workflow = await WorkflowFixture.open(app);
  const { code } = await workflow.type({ requires_approval: true });
  sample = await workflow.submitted(code);
  const { eng, ops } = workflow.space;
  await copies({ project_id: eng.id, state: 'executed', type_code: 'common' });
  await copies({ project_id: ops.id, state: 'sent', type_code: 'elsewhere' });
  const requests = `
    INSERT INTO approval_requests
    SELECT (jsonb_populate_record(r, jsonb_build_object(
      'id', gen_random_uuid(), 'type_code', 'common', 'created_at', now() - n * interval '1 minute'
    ))).*
    FROM approval_requests r, generate_series(1, ${MANY}) n WHERE r.document_id = $1`;
  await app.sql.query(requests, [sample]);
  await app.sql.query('ANALYZE documents');
  await app.sql.query('ANALYZE approval_requests');
});

async function copies(over: object): Promise<void> {
  const changed = `$2::jsonb || jsonb_build_object('id', gen_random_uuid(), 'number', null, 'created_at', now() - n * interval '1 minute')`;
  await app.sql.query(
    `INSERT INTO documents SELECT (jsonb_populate_record(d, ${changed})).* FROM documents d, generate_series(1, ${MANY}) n WHERE d.id = $1`,
    [sample, JSON.stringify(over)],
  );
}

/** The number of rows that reading the first page of a list discards. */
async function wasted(table: string, condition: string, values: unknown[]): Promise<number> {
  const { rows } = await app.sql.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON)
     SELECT * FROM ${table} t WHERE t.organization_id = $1 AND t.mode = 'live' AND ${condition}
     ORDER BY t.created_at DESC, t.id DESC LIMIT 26`,
    [workflow.space.organizationId, ...values],
  );
  const count = (node: PlanNode): number =>
    (node['Rows Removed by Filter'] ?? 0) + (node.Plans ?? []).reduce((sum, child) => sum + count(child), 0);
  return count(rows[0]['QUERY PLAN'][0].Plan);
}

interface PlanNode {
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

describe('a list with a selective filter', () => {
  it.each([
    ['state', 'sent'],
    ['type_code', 'elsewhere'],
  ])('on %s reads no other documents of the project', async (column, value) => {
    expect(await wasted('documents', `t.project_id = $2 AND t.${column} = $3`, [workflow.space.eng.id, value])).toBe(0);
  });

  it.each([
    ['state', 'finalized'],
    ['type_code', 'nowhere'],
  ])('on %s reads no other documents of the organization', async (column, value) => {
    expect(await wasted('documents', `t.${column} = $2`, [value])).toBe(0);
  });

  it('on project or type reads no other pending decisions', async () => {
    expect(await wasted('approval_requests', `t.decision = 'pending' AND t.project_id = $2`, [workflow.space.ops.id])).toBe(0);
    expect(await wasted('approval_requests', `t.decision = 'pending' AND t.type_code = $2`, ['elsewhere'])).toBe(0);
  });
});
