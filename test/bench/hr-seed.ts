import { Client } from 'pg';
import { createApp } from '../../src/app.js';
import { MODULES } from '../../src/modules.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { ORG_HR } from '../../src/modules/hr/testing/hr-fixture.js';
import { insideOf } from '../harness/inside.js';
import { createWorkspace, type Workspace } from '../harness/workspace.js';

const NO_LIMIT = 1_000_000_000;
const EPOCH_MS = Date.parse('2026-01-01T00:00:00Z');
/** Each manager has so many reports. */
const SPAN = 20;
/** One of so many has left. */
const LEFT = 4;

/** What the measured requests need. */
export interface HrTenant {
  authorization: string;
  organizationId: string;
  projectId: string;
  /** At the top of the chart. */
  rootId: string;
  /** Somebody in the middle. */
  managerId: string;
  departmentId: string;
  typeId: string;
}

export interface HrTenants {
  few: HrTenant;
  many: HrTenant;
}

/** Creates two organizations through the product, and seeds their people and leave by SQL. */
export async function seedHr(databaseUrl: string, env: Record<string, string>, sizes: { few: number; many: number }): Promise<HrTenants> {
  const config = loadConfig({ ...env, NODE_ENV: 'test', DATABASE_URL: databaseUrl });
  const app = await createApp({ config, databaseUrl, modules: MODULES });
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await app.listen(0, '127.0.0.1');
    const host = { url: await app.getUrl(), inside: insideOf(app) };
    const tenants = {
      few: await createTenant(client, await createWorkspace(host), sizes.few),
      many: await createTenant(client, await createWorkspace(host), sizes.many),
    };
    await client.query('VACUUM ANALYZE');
    return tenants;
  } finally {
    await client.end();
    await app.close();
  }
}

async function createTenant(client: Client, space: Workspace, count: number): Promise<HrTenant> {
  const { secret } = await space.key({ module: 'hr', mode: 'live', rate_limit_per_minute: NO_LIMIT });
  const screen = await space.signIn();
  const project_id = space.eng.id;
  const departments: string[] = [];
  for (let number = 0; number < 100; number++)
    departments.push((await screen.post(`${ORG_HR}/departments`, { project_id, name: `Department ${number}` })).body.id as string);
  const { data } = (await screen.get(`${ORG_HR}/leave-types`)).body as { data: { id: string; name: string; project_id: string }[] };
  const typeId = data.find((type) => type.name === 'Vacation' && type.project_id === project_id)?.id as string;
  await seedRows(client, { organizationId: space.organizationId, projectId: project_id, departments, typeId, count });
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM hr_employees WHERE organization_id = $1 AND number IN ('1', '3') ORDER BY number`,
    [space.organizationId],
  );
  const ids = { rootId: rows[0].id, managerId: rows[1].id, departmentId: departments[7] };
  return { authorization: `Bearer ${secret}`, organizationId: space.organizationId, projectId: project_id, typeId, ...ids };
}

interface Seed {
  organizationId: string;
  projectId: string;
  departments: readonly string[];
  typeId: string;
  count: number;
}

/** So many people in a tree, with an account, a grant and an approved leave each, spread over two years. */
async function seedRows(client: Client, { organizationId, projectId, departments, typeId, count }: Seed): Promise<void> {
  // skips foreign keys and triggers, whose values are the same here
  await client.query('SET session_replication_role = replica');
  const idOf = (kind: string, n: string) =>
    `(lpad(to_hex(${EPOCH_MS} + ${n} * 1000::bigint), 12, '0') || '7${kind}008' || substr(md5('${projectId}' || (${n})), 1, 15))::uuid`;
  const actor = `'{"type":"system","id":null,"email":null}'::jsonb`;
  const head = `'${organizationId}'::uuid, '${projectId}'::uuid, 'live'`;
  const at = `to_timestamp(${EPOCH_MS / 1000}) + r.n * interval '1 second'`;
  const rows = `generate_series(1, ${count}) AS r (n)`;
  const above = `((r.n - 2) / ${SPAN} + 1)`;
  const isLeft = `r.n > 1000 AND r.n % ${LEFT} = 0`;
  await client.query(
    `INSERT INTO hr_employees (organization_id, project_id, mode, id, number, name, work_email, department_id, position, manager_id,
       manager_project_id, status, employment_type, hired_on, left_on, working_week, created_by, search, created_at, updated_at)
     SELECT ${head}, ${idOf('1', 'r.n')}, r.n::text, 'Person ' || md5(r.n::text), 'p' || r.n || '@example.com',
       ($1::uuid[])[1 + r.n % 100], 'Engineer', CASE WHEN r.n > 1 THEN ${idOf('1', above)} END,
       CASE WHEN r.n > 1 THEN '${projectId}'::uuid END, CASE WHEN ${isLeft} THEN 'left' ELSE 'active' END, 'full_time', '2024-01-01',
       CASE WHEN ${isLeft} THEN '2025-12-31'::date END, '{2,2,2,2,2,0,0}', ${actor}, to_tsvector('simple', 'person ' || r.n), ${at}, ${at}
     FROM ${rows}`,
    [departments],
  );
  await client.query(
    `INSERT INTO hr_leave_requests (organization_id, project_id, mode, id, employee_id, leave_type_id, shown_leave_type_id, starts_on,
       ends_on, half_days, days, status, created_by, created_at, updated_at)
     SELECT ${head}, ${idOf('2', 'r.n')}, ${idOf('1', 'r.n')}, $1, CASE WHEN r.n % 3 = 0 THEN NULL ELSE $1::uuid END, s.day, s.day + 4,
       int8range((s.day - '1970-01-01'::date) * 2, (s.day - '1970-01-01'::date) * 2 + 10), 5,
       CASE WHEN r.n % 100 = 0 THEN 'pending' ELSE 'approved' END, ${actor}, ${at}, ${at}
     FROM ${rows}, LATERAL (SELECT '2026-01-01'::date + r.n % 730 AS day) s`,
    [typeId],
  );
  await client.query(
    'UPDATE hr_leave_requests r SET department_id = e.department_id FROM hr_employees e WHERE e.id = r.employee_id AND r.project_id = $1',
    [projectId],
  );
  await client.query(
    `INSERT INTO hr_leave_accounts (organization_id, project_id, mode, id, employee_id, leave_type_id, shown_leave_type_id, created_at,
       updated_at)
     SELECT ${head}, ${idOf('3', 'r.n')}, ${idOf('1', 'r.n')}, $1, $1, ${at}, ${at} FROM ${rows}`,
    [typeId],
  );
  await client.query(
    `INSERT INTO hr_leave_ledger (organization_id, project_id, mode, id, account_id, employee_id, leave_type_id, kind, "on", days,
       expires_on, automatic, created_by)
     SELECT ${head}, ${idOf('4', 'r.n')}, ${idOf('3', 'r.n')}, ${idOf('1', 'r.n')}, $1, 'grant', '2026-01-01', 25,
       '2026-12-31', true, ${actor}
     FROM ${rows}`,
    [typeId],
  );
  await client.query('SET session_replication_role = origin');
}
