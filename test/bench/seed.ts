import { Client } from 'pg';
import { createApp } from '../../src/app.js';
import { MODULES } from '../../src/modules.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { insideOf } from '../harness/inside.js';
import { createWorkspace, type Workspace } from '../harness/workspace.js';

const NO_LIMIT = 1_000_000_000;

/** An organization with tasks and a key for them. */
export interface Seeded {
  authorization: string;
  projectId: string;
  statusId: string;
  /** A sample of the task ids, evenly spread. */
  taskIds: string[];
}

/** Creates an organization for each number of rows through the platform, and its tasks by SQL. */
export async function seedOurs(databaseUrl: string, env: Record<string, string>, rows: readonly number[]): Promise<Seeded[]> {
  const config = loadConfig({ ...env, NODE_ENV: 'test', DATABASE_URL: databaseUrl });
  const app = await createApp({ config, databaseUrl, modules: MODULES });
  await app.init();
  const client = await connect(databaseUrl);
  try {
    const seeded: Seeded[] = [];
    for (const count of rows) seeded.push(await seedOrganization(client, await createWorkspace({ url: '', inside: insideOf(app) }), count));
    await client.query('VACUUM ANALYZE');
    return seeded;
  } finally {
    await client.end();
    await app.close();
  }
}

async function seedOrganization(client: Client, workspace: Workspace, count: number): Promise<Seeded> {
  const { organizationId, eng } = workspace;
  const {
    rows: [status],
  } = await client.query<{ id: string }>('SELECT id FROM task_statuses WHERE project_id = $1 AND is_default', [eng.id]);
  await client.query(
    `INSERT INTO tasks (id, organization_id, project_id, mode, key, title, description, status_id, status_group, priority, position,
                        created_by, created_at, updated_at)
     SELECT ${TIMED_UUID}, $1, $2, 'live', 'ENG-' || n, 'Task number ' || n, 'What is to be done in task ' || n,
            s.id, s."group", n % 5, n * 1024,
            '{"type":"system","id":null,"email":null}', ${TIME}, ${TIME}
     FROM generate_series(1, $3::int) AS n, task_statuses s WHERE s.id = $4`,
    [organizationId, eng.id, count, status.id],
  );
  await client.query(`INSERT INTO counters (organization_id, project_id, mode, series, last) VALUES ($1, $2, 'live', 'task', $3)`, [
    organizationId,
    eng.id,
    count,
  ]);
  const key = await workspace.key({ module: 'tasks', rate_limit_per_minute: NO_LIMIT });
  const { rows: sample } = await client.query<{ id: string }>(
    `SELECT id FROM tasks WHERE organization_id = $1 AND position::int / 1024 % greatest($2 / 200, 1) = 0 LIMIT 200`,
    [organizationId, count],
  );
  return { authorization: `Bearer ${key.secret}`, projectId: eng.id, statusId: status.id, taskIds: sample.map(({ id }) => id) };
}

/** Creates the same rows for the floor, whose server has created its table. */
export async function seedFloor(databaseUrl: string, count: number): Promise<string[]> {
  const client = await connect(databaseUrl);
  try {
    await client.query(
      `INSERT INTO floor_tasks
         (id, organization_id, project_id, key, title, description, status_id, priority, position, created_by, created_at, updated_at)
       SELECT ${TIMED_UUID}, gen_random_uuid(), gen_random_uuid(), 'ENG-' || n, 'Task number ' || n, 'What is to be done in task ' || n,
              gen_random_uuid(), 'none', n * 1024,
              '{"type":"system","id":null,"email":null}', ${TIME}, ${TIME}
       FROM generate_series(1, $1::int) AS n`,
      [count],
    );
    await client.query('VACUUM ANALYZE');
    const { rows } = await client.query<{ id: string }>(
      `SELECT id FROM floor_tasks WHERE position::int / 1024 % greatest($1 / 200, 1) = 0 LIMIT 200`,
      [count],
    );
    return rows.map(({ id }) => id);
  } finally {
    await client.end();
  }
}

/** SQL for creation times one second apart, with matching UUID v7 ids. */
const TIME = `date_trunc('second', now()) - make_interval(secs => 1000000 - n)`;
const TIMED_UUID = `(lpad(to_hex(1700000000000 + n::bigint * 1000), 12, '0')
  || '7' || substr(md5(random()::text), 1, 3) || '8' || substr(md5(random()::text), 1, 15))::uuid`;

async function connect(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString });
  await client.connect();
  return client;
}
