import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../../../test/harness/client.js';
import { ownNotesApp } from '../../../test/harness/fixtures/fixture-apps.js';
import { onServer } from '../../../test/harness/database-server.js';
import { PROJECT_ROOT } from '../config/project-root.js';

const COMMIT = 'c0ffee0c0ffee0c0ffee0c0ffee0c0ffee0c0ffe';
const PATHS = ['/health', '/health/live', '/health/ready'];

const APPS = [
  ['all', await ownNotesApp({ env: { APP_ROLE: 'all', SOURCE_COMMIT: COMMIT } })],
  ['worker', await ownNotesApp({ env: { APP_ROLE: 'worker' } })],
] as const;

test('the package, health, OpenAPI and MCP tell one version and commit', async () => {
  const [[, app]] = APPS;
  const client = new Client(app.url);
  const { version } = JSON.parse(readFileSync(join(PROJECT_ROOT, 'package.json'), 'utf8')) as { version: string };
  for (const path of PATHS) expect((await client.get(path)).body).toMatchObject({ version, commit: COMMIT });
  for (const path of ['/openapi.json', '/openapi.org.json', '/openapi.public.json'])
    expect((await client.get(path)).body.info).toMatchObject({ version, 'x-commit': COMMIT });
  const { secret } = await (await app.workspace()).key({ module: 'notes' });
  const mcp = client.with({ authorization: `Bearer ${secret}`, accept: 'application/json, text/event-stream' });
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  const greeting = await mcp.post('/api/v1/ext/mcp', { jsonrpc: '2.0', id: 1, method: 'initialize', params });
  expect(greeting.body.result).toMatchObject({ serverInfo: { version }, _meta: { 'work-suite/commit': COMMIT } });
});

describe.each(APPS)('a process with APP_ROLE=%s', (role, app) => {
  const client = new Client(app.url);

  test.each(PATHS)('responds to %s without authentication', async (path) => {
    const response = await client.get(path);
    expect([response.status, response.body.status]).toEqual([200, 'ok']);
    const { last_claims: claims, oldest_due_delivery_at: oldest } = response.body;
    expect(Object.keys(claims).sort()).toEqual(['jobs.run', 'scheduled-jobs.run', 'webhooks.deliver']);
    for (const at of Object.values<string>(claims)) expect(Date.now() - Date.parse(at)).toBeLessThan(20_000);
    expect(oldest).toBe(path === '/health/live' ? undefined : null);
  });

  test('responds to other paths according to its role', async () => {
    const { status, text } = await client.get('/openapi.json');
    if (role === 'worker') expect([status, text]).toEqual([404, 'This process is a worker and does not serve the API.\n']);
    else expect(status).toBe(200);
  });

  test('is ready while the backlog of webhooks cannot be read, and asks for it once at a time', async () => {
    await sleep(1_100);
    const locking = await app.sql.connect();
    await locking.query('BEGIN; LOCK TABLE webhook_deliveries IN ACCESS EXCLUSIVE MODE');
    const probes = Promise.all(Array.from({ length: 12 }, () => client.get('/health/ready')));
    const waiting = async () =>
      (
        await app.sql.query<{ count: number }>(
          `SELECT count(*)::int AS count FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock'
             AND query LIKE '%WITH RECURSIVE%' AND query NOT LIKE '%FOR UPDATE%'`,
        )
      ).rows[0].count;
    let most = 0;
    const ended = probes.then(() => true);
    do most = Math.max(most, await waiting());
    while (!(await Promise.race([ended, sleep(50, false)])));
    const responses = await probes;
    await locking.query('ROLLBACK');
    locking.release();
    expect(most).toBe(1);
    for (const { status, body } of responses) expect([status, body.oldest_due_delivery_at]).toEqual([200, null]);
  });

  test('is ready while the connections of its pool are lost, which says nothing about the database', async () => {
    const statuses: number[] = [];
    for (let round = 0; round < 20; round++) {
      // only those that are there before the probe: the new connection with which it asks again is not lost
      const { rows } = await app.sql.query<{ pid: number }>(
        'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      );
      const end = rows.map(({ pid }) => `SELECT pg_terminate_backend(${pid})`).join(';');
      const [{ status }] = await Promise.all([client.get('/health/ready'), onServer(app.databaseUrl, end)]);
      statuses.push(status);
    }
    expect(statuses).toEqual(Array<number>(20).fill(200));
  });

  test('is live but not ready without its database', async () => {
    const { pathname } = new URL(app.databaseUrl);
    const database = pathname.slice(1);
    await onServer(app.databaseUrl, `ALTER DATABASE "${database}" ALLOW_CONNECTIONS false`);
    await onServer(app.databaseUrl, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`);
    const responses = await Promise.all(PATHS.map((path) => client.get(path)));
    await onServer(app.databaseUrl, `ALTER DATABASE "${database}" ALLOW_CONNECTIONS true`);
    expect(responses.map(({ status }) => status)).toEqual([503, 200, 503]);
    expect(responses[2].body.error).toMatchObject({ code: 'unavailable', message: 'The database does not respond.' });
    expect((await client.get('/health/ready')).status).toBe(200);
  });
});
