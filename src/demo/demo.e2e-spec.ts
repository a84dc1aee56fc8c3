import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createTestApp, type TestApp } from '../../test/kit/app.js';
import { Client } from '../../test/kit/client.js';
import { NotesModule, NOTES_TABLE } from '../../test/kit/notes.fixture.js';
import { TasksModule } from '../modules/tasks/tasks.module.js';
import { TaskCommentsService } from '../modules/tasks/tasks.public.js';
import { BaseUrl } from '../platform/config/base-url.js';
import { demoFile, type DemoFacts, type DemoKey } from './demo-file.js';
import { prepareDemo } from './demo.js';

const TASKS = '/api/v1/ext/tasks/tasks';

let app: TestApp;
let dataDir: string;

beforeAll(async () => {
  app = await createTestApp({ modules: [TasksModule, NotesModule] });
  await app.sql.query(NOTES_TABLE);
});
afterAll(() => app.close());
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'work-suite-demo-'));
  await wipe();
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(dataDir, { recursive: true });
});

/** Retries on deadlock: workers may still process events of the previous test. */
async function wipe(): Promise<void> {
  try {
    await app.sql.query('TRUNCATE organizations, counters, outbox_events CASCADE');
  } catch (error) {
    if ((error as { code?: string }).code !== '40P01') throw error;
    await wipe();
  }
}

/** Runs a start and returns what it prints. */
async function start(): Promise<string> {
  const printed = jest.spyOn(console, 'log').mockImplementation(() => undefined);
  try {
    await prepareDemo(app.app, { dataDir, databaseUrl: undefined } as never);
    return printed.mock.calls.join('\n');
  } finally {
    printed.mockRestore();
  }
}

function facts(): DemoFacts {
  return JSON.parse(readFileSync(demoFile(dataDir), 'utf8')) as DemoFacts;
}

function client({ secret }: DemoKey): Client {
  return new Client(app.url, { authorization: `Bearer ${secret}` });
}

function keyNamed(name: string): DemoKey {
  return facts().keys.find((key) => key.name === name) as DemoKey;
}

async function count(table: string): Promise<number> {
  return (await app.sql.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`)).rows[0].count;
}

describe('the first start', () => {
  it('seeds both modes and every role in less than two seconds', async () => {
    const began = Date.now();
    await start();
    expect(Date.now() - began).toBeLessThan(2000);
    expect(facts().projects.map(({ key }) => key)).toEqual(['ENG', 'OPS']);
    expect(facts().members.map(({ role }) => role)).toEqual(['owner', 'admin', 'developer', 'member']);
    const { body: live } = await client(keyNamed('Tasks, live, read-only')).get(`${TASKS}?limit=100&include_total=true`);
    const { body: test } = await client(keyNamed('Tasks, test, full')).get(`${TASKS}?limit=100&include_total=true`);
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
    await start();
    expect(statSync(demoFile(dataDir)).mode & 0o777).toBe(0o600);
    const { base_url, docs_url, mcp_url, members, keys } = facts();
    expect([base_url, docs_url, mcp_url]).toEqual([app.url, `${app.url}/docs`, `${app.url}/api/v1/ext/mcp`]);
    for (const { email, password } of members)
      expect((await new Client(app.url).post('/api/v1/org/session', { email, password })).status).toBe(200);
    for (const key of keys.filter(({ module }) => module === 'tasks')) {
      const { status, headers } = await client(key).get(TASKS);
      expect([key.name, status, headers['svc-mode']]).toEqual([key.name, 200, key.mode]);
    }
    expect((await client(keyNamed('Tasks, live, read-only')).post(TASKS, { title: 'No' })).status).toBe(403);
    expect((await client(keyNamed('Tasks, test, full, only ENG')).post(TASKS, { title: 'Yes' })).body.project_id).toBe(
      facts().projects[0].id,
    );
    expect((await app.sql.query('SELECT DISTINCT rate_limit_per_minute FROM api_keys')).rows).toEqual([{ rate_limit_per_minute: null }]);
  });

  it('prints commands that work when pasted', async () => {
    const lines = (await start()).split('\n');
    const curl = await promisify(execFile)('sh', ['-c', lines.find((line) => line.startsWith('curl ')) as string]);
    expect(JSON.parse(curl.stdout)).toMatchObject({ object: 'task', title: 'Try the API', project_id: facts().projects[0].id });
    const server = JSON.parse(lines.find((line) => line.startsWith('{"mcpServers"')) as string).mcpServers['work-suite'];
    const response = await new Client(server.url, server.headers).post(
      '',
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' },
    );
    expect(response.body.result.tools.map(({ name }: { name: string }) => name)).toContain('create_task');
    expect(lines).toContain(`DATA_DIR='${dataDir}' npm run demo:reset`);
  });

  it('rolls back if it fails and runs again at the next start', async () => {
    let comments = 0;
    const create = TaskCommentsService.prototype.create;
    const failing = jest.spyOn(TaskCommentsService.prototype, 'create').mockImplementation(function (this: TaskCommentsService, ...args) {
      if (++comments === 5) throw new Error('interrupted');
      return create.apply(this, args);
    });
    await expect(start()).rejects.toThrow('interrupted');
    failing.mockRestore();
    for (const table of ['projects', 'tasks', 'api_keys', 'outbox_events']) expect([table, await count(table)]).toEqual([table, 0]);
    await start();
    expect(await count('organizations')).toBe(1);
    expect(await count('members')).toBe(4);
    const [{ email, password }] = facts().members;
    expect((await new Client(app.url).post('/api/v1/org/session', { email, password })).status).toBe(200);
  });

  it('creates nothing if the database already has an organization', async () => {
    await app.workspace();
    expect(await start()).toContain('no demo workspace');
    expect(await count('organizations')).toBe(1);
    expect(() => facts()).toThrow('ENOENT');
  });
});

describe('a later start', () => {
  it('keeps all data and updates the addresses', async () => {
    await start();
    const first = facts();
    app.app.get(BaseUrl).value = 'http://localhost:9';
    try {
      await start();
    } finally {
      app.app.get(BaseUrl).value = app.url;
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
    await start();
    const first = facts();
    writeFileSync(demoFile(dataDir), '{"organ');
    const tasks = await count('tasks');
    expect(await start()).toContain('was missing or belongs to another database');
    expect(facts().keys.map(({ name }) => name)).toEqual(first.keys.map(({ name }) => name));
    expect(facts().keys[0].secret).not.toBe(first.keys[0].secret);
    expect((await client(facts().keys[0]).get(TASKS)).status).toBe(200);
    const [{ email, password }] = facts().members;
    expect((await new Client(app.url).post('/api/v1/org/session', { email, password })).status).toBe(200);
    expect(await count('tasks')).toBe(tasks);
  });

  it('creates keys for a module that was added since', async () => {
    await start();
    const first = facts();
    writeFileSync(demoFile(dataDir), JSON.stringify({ ...first, keys: first.keys.filter(({ module }) => module === 'tasks') }));
    await start();
    expect(facts().keys.filter(({ module }) => module === 'tasks')).toEqual(first.keys.filter(({ module }) => module === 'tasks'));
    expect(facts().keys.filter(({ module }) => module === 'notes')).toHaveLength(6);
  });
});
