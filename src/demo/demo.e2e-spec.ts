import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { Client } from '../../test/harness/client.js';
import { Demo } from '../../test/harness/demo.js';
import { ownApp } from '../../test/harness/hosted-app.js';
import type { DemoFacts } from './demo-file.js';

const TASKS = '/api/v1/ext/tasks/tasks';

const app = await ownApp({}, { file: 'src/modules/tasks/testing/demo-app.ts', name: 'createDemoApp' });
let demo: Demo;

beforeEach(async () => {
  demo = new Demo(app);
  await wipe();
});
afterEach(() => demo.deleteFolder());

/** Of organizations, which come first: what would refer to a deleted one waits for the commit, and is refused. */
const OF_ORGANIZATIONS = `
  WITH RECURSIVE tables (id, depth) AS (
    SELECT 'organizations'::regclass::oid, 0
    UNION SELECT a.attrelid, 1 FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid AND c.relkind IN ('r', 'p')
      WHERE a.attname = 'organization_id' AND c.relnamespace = 'public'::regnamespace
    UNION SELECT c.conrelid, 1 FROM pg_constraint c JOIN tables t ON t.id = c.confrelid WHERE c.contype = 'f'
  )
  SELECT id::regclass::text AS name FROM tables GROUP BY id ORDER BY min(depth), name`;

/** TRUNCATE would write each table and index anew. Retries on deadlock: workers may process events of the previous test. */
async function wipe(): Promise<void> {
  const { rows } = await app.sql.query<{ name: string }>(OF_ORGANIZATIONS);
  const { rows: projects } = await app.sql.query<{ id: string; organization_id: string }>('SELECT id, organization_id FROM projects');
  try {
    // posted rows refuse it otherwise; one query is one transaction
    await app.sql.query(['SET LOCAL session_replication_role = replica', ...rows.map(({ name }) => `DELETE FROM ${name}`)].join(';'));
  } catch (error) {
    if ((error as { code?: string }).code !== '40P01') throw error;
    return wipe();
  }
  // a project with a fixed id comes back, in another organization
  const directory = app.service<{ forget(project: object): void }>('ProjectDirectory');
  for (const project of projects) await directory.forget(project);
}

function facts(): DemoFacts {
  return demo.facts();
}

async function count(table: string): Promise<number> {
  return (await app.sql.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`)).rows[0].count;
}

describe('the first start', () => {
  it('seeds both modes and every role', async () => {
    await demo.start();
    expect(facts().projects.map(({ key }) => key)).toEqual(['ENG', 'OPS']);
    expect(facts().members.map(({ role }) => role)).toEqual(['owner', 'admin', 'developer', 'member']);
    const { body: live } = await demo.key('Tasks, live, read-only').get(`${TASKS}?limit=100&include_total=true`);
    const { body: test } = await demo.key('Tasks, test, full').get(`${TASKS}?limit=100&include_total=true`);
    expect([live.total_count > 24, test.total_count > 5]).toEqual([true, true]);
    expect(new Set(live.data.map(({ created_by }: { created_by: { type: string } }) => created_by.type))).toEqual(new Set(['user']));
    const { rows } = await app.sql.query<{ mode: string; type: string; actors: number }>(
      `SELECT mode, type, count(DISTINCT body::jsonb #>> '{actor,email}')::int AS actors
       FROM outbox_events GROUP BY mode, type ORDER BY mode, type`,
    );
    expect(rows.map(({ mode, type }) => `${mode} ${type}`)).toEqual([
      'live task.comment_added',
      'live task.created',
      'test task.comment_added',
      'test task.created',
    ]);
    expect(rows[0].actors).toBeGreaterThan(2);
  });

  it('writes a demo file that only its owner can read and whose credentials work', async () => {
    await demo.start();
    expect(statSync(demo.file).mode & 0o777).toBe(0o600);
    const { base_url, docs_url, mcp_url, members, keys } = facts();
    expect([base_url, docs_url, mcp_url]).toEqual([app.url, `${app.url}/docs`, `${app.url}/api/v1/ext/mcp`]);
    for (const { email, password } of members)
      expect((await new Client(app.url).post('/api/v1/org/session', { email, password })).status).toBe(200);
    for (const key of keys.filter(({ module }) => module === 'tasks')) {
      const { status, headers } = await demo.key(key.name).get(TASKS);
      expect([key.name, status, headers['svc-mode']]).toEqual([key.name, 200, key.mode]);
    }
    expect((await demo.key('Tasks, live, read-only').post(TASKS, { title: 'No' })).status).toBe(403);
    expect((await demo.key('Tasks, test, full, only ENG').post(TASKS, { title: 'Yes' })).body.project_id).toBe(facts().projects[0].id);
    expect((await app.sql.query('SELECT DISTINCT rate_limit_per_minute FROM api_keys')).rows).toEqual([{ rate_limit_per_minute: null }]);
  });

  it('prints commands that work when pasted', async () => {
    const lines = (await demo.start()).split('\n');
    const curl = await promisify(execFile)('sh', ['-c', lines.find((line) => line.startsWith('curl ')) as string]);
    expect(JSON.parse(curl.stdout)).toMatchObject({ object: 'task', title: 'Try the API', project_id: facts().projects[0].id });
    const server = JSON.parse(lines.find((line) => line.startsWith('{"mcpServers"')) as string).mcpServers['work-suite'];
    const { origin, pathname } = new URL(server.url);
    const response = await new Client(origin, server.headers).post(
      pathname,
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' },
    );
    expect(response.body.result.tools.map(({ name }: { name: string }) => name)).toContain('create_task');
    expect(lines).toContain(`DATA_DIR='${demo.folder}' npm run demo:reset`);
  });

  it('rolls back if it fails and runs again at the next start', async () => {
    const spies = app.inside<typeof import('../../test/harness/spies.js')>('test/harness/spies.ts');
    await spies.failNextCall('TaskCommentsService', 'create', 'interrupted', 4);
    await expect(demo.start()).rejects.toThrow('interrupted');
    for (const table of ['projects', 'tasks', 'api_keys', 'outbox_events']) expect([table, await count(table)]).toEqual([table, 0]);
    await demo.start();
    expect(await count('organizations')).toBe(1);
    expect(await count('members')).toBe(4);
    const [{ email, password }] = facts().members;
    expect((await new Client(app.url).post('/api/v1/org/session', { email, password })).status).toBe(200);
  });

  it('creates nothing if the database already has an organization', async () => {
    await app.workspace();
    expect(await demo.start()).toContain('no demo workspace');
    expect(await count('organizations')).toBe(1);
    expect(() => facts()).toThrow('ENOENT');
  });
});

it('makes the test data again, with a seed under the same ids, and leaves the rest', async () => {
  const seed = 'of a team that tests';
  const rows = async () => (await app.sql.query<{ mode: string; id: string }>('SELECT mode, id, title FROM tasks ORDER BY mode, id')).rows;
  await demo.start(seed);
  const [before, { projects, keys }] = [await rows(), facts()];
  expect(await demo.seedAgain(seed, { erase: false })).toMatch(/^There are \d+ rows of test data/);
  const created = await demo.key('Tasks, test, full').post(TASKS, { project_id: projects[0].id, title: 'Of a test' });
  expect(await demo.seedAgain(seed, { erase: true })).toBeNull();
  expect(await rows()).toEqual(before);
  expect((await demo.key('Tasks, test, full').get(`${TASKS}/${created.body.id}`)).status).toBe(404);
  await wipe();
  await demo.start(seed);
  expect([await rows(), facts().projects, facts().keys]).toEqual([before, projects, keys]);
});

describe('a later start', () => {
  it('keeps all data and updates the addresses', async () => {
    await demo.start();
    const first = facts();
    await demo.setBaseUrl('http://localhost:9');
    try {
      await demo.start();
    } finally {
      await demo.setBaseUrl(app.url);
    }
    expect(facts()).toEqual({
      ...first,
      base_url: 'http://localhost:9',
      docs_url: 'http://localhost:9/docs',
      mcp_url: 'http://localhost:9/api/v1/ext/mcp',
      webhooks_url: 'http://localhost:9/dev/webhooks',
    });
    expect(await count('api_keys')).toBe(first.keys.length);
  });

  it('creates new passwords and keys if the demo file is lost, and says so', async () => {
    await demo.start();
    const first = facts();
    writeFileSync(demo.file, '{"organ');
    const tasks = await count('tasks');
    expect(await demo.start()).toContain('was missing or belongs to another database');
    expect(facts().keys.map(({ name }) => name)).toEqual(first.keys.map(({ name }) => name));
    expect(facts().keys[0].secret).not.toBe(first.keys[0].secret);
    expect((await demo.key(facts().keys[0].name).get(TASKS)).status).toBe(200);
    const [{ email, password }] = facts().members;
    expect((await new Client(app.url).post('/api/v1/org/session', { email, password })).status).toBe(200);
    expect(await count('tasks')).toBe(tasks);
  });

  it('creates keys for a module that was added since', async () => {
    await demo.start();
    const first = facts();
    writeFileSync(demo.file, JSON.stringify({ ...first, keys: first.keys.filter(({ module }) => module === 'tasks') }));
    await demo.start();
    expect(facts().keys.filter(({ module }) => module === 'tasks')).toEqual(first.keys.filter(({ module }) => module === 'tasks'));
    expect(facts().keys.filter(({ module }) => module === 'notes')).toHaveLength(6);
  });

  it('gives its keys the scopes that a module has added since', async () => {
    await demo.start();
    const first = facts();
    const older = ({ module, scopes }: DemoFacts['keys'][number]) => (module === 'tasks' ? ['tasks:task:read'] : scopes);
    writeFileSync(demo.file, JSON.stringify({ ...first, keys: first.keys.map((key) => ({ ...key, scopes: older(key) })) }));
    await app.sql.query(`UPDATE api_keys SET scopes = '{tasks:task:read}' WHERE module = 'tasks'`);
    await demo.start();
    const sorted = ({ keys }: DemoFacts) => keys.map((key) => ({ ...key, scopes: key.scopes.toSorted() }));
    expect(sorted(facts())).toEqual(sorted(first));
    expect((await demo.key('Tasks, test, full').post(TASKS, { project_id: first.projects[0].id, title: 'Yes' })).status).toBe(201);
    expect((await demo.key('Tasks, test, read-only').post(TASKS, { title: 'No' })).status).toBe(403);
  });

  it('lists keys of a module that is left out apart, and has them back with the module', async () => {
    await demo.start();
    const first = facts();
    const gone = { ...first.keys[0], name: 'Gone, test, full', module: 'gone', secret: 'svc_test_gone' };
    const back = first.keys.filter(({ module }) => module === 'notes');
    const rest = first.keys.filter(({ module }) => module !== 'notes');
    writeFileSync(demo.file, JSON.stringify({ ...first, keys: [...rest, gone], left_out_keys: back }));
    await demo.start();
    expect(facts().left_out_keys).toEqual([gone]);
    expect(facts().keys).toEqual([...rest, ...back]);
  });

  it('does not create a part again, whatever became of it', async () => {
    await demo.start();
    await app.sql.query('DELETE FROM task_comments');
    await app.sql.query('UPDATE tasks SET parent_id = NULL');
    await app.sql.query('DELETE FROM tasks');
    await app.sql.query('DELETE FROM api_keys');
    expect(await demo.start()).not.toContain('could not be created');
    expect(await count('tasks')).toBe(0);
  });

  it('leaves the parts of a version that did not note them', async () => {
    await demo.start();
    const tasks = await count('tasks');
    await app.sql.query(`DELETE FROM counters WHERE series LIKE 'demo:%'`);
    await demo.start();
    await demo.start();
    expect(await count('tasks')).toBe(tasks);
  });

  it('creates the part of a module that was added since, in projects without what the module needs', async () => {
    await demo.start();
    const tasks = await count('tasks');
    // as if the workspace had been created without the module
    await app.sql.query('SET LOCAL session_replication_role = replica; TRUNCATE tasks, task_comments, task_labels, task_statuses CASCADE');
    await app.sql.query(`DELETE FROM counters WHERE series = 'demo:tasks' OR project_id <> organization_id`);
    await app.sql.query(`DELETE FROM project_setups WHERE module = 'tasks'`);
    await app.sql.query(`DELETE FROM api_keys WHERE module = 'tasks'`);
    const first = facts();
    writeFileSync(demo.file, JSON.stringify({ ...first, keys: first.keys.filter(({ module }) => module !== 'tasks') }));
    expect(await demo.start()).not.toContain('could not be created');
    expect(await count('tasks')).toBe(tasks);
    const { body } = await demo.key('Tasks, test, full').get('/api/v1/ext/tasks/statuses');
    expect(body.data.length).toBeGreaterThan(3);
    await demo.start();
    expect(await count('tasks')).toBe(tasks);
  });

  it('starts without a part that cannot be created, and tries again', async () => {
    await demo.start();
    await app.sql.query(`DELETE FROM counters WHERE series = 'demo:tasks'`);
    await app.sql.query(`DELETE FROM api_keys WHERE module = 'tasks'`);
    const tasks = await count('tasks');
    const spies = app.inside<typeof import('../../test/harness/spies.js')>('test/harness/spies.ts');
    await spies.failNextCall('TaskCommentsService', 'create', 'interrupted', 4);
    expect(await demo.start()).toContain('The demo data of Tasks could not be created: interrupted');
    expect(await count('tasks')).toBe(tasks);
    expect(await demo.start()).not.toContain('could not be created');
    expect(await count('tasks')).toBe(2 * tasks);
  });
});
