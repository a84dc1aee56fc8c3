import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { Client } from '../../../test/harness/client.js';
import { eventually } from '../../../test/harness/eventually.js';
import { NOTES, ownNotesApp } from '../../../test/harness/fixtures/fixture-apps.js';
import { Receiver } from '../../../test/harness/receiver.js';
import { PROJECT_ROOT } from '../config/project-root.js';

const TOKEN = 'token-of-the-test';
const SUFFIXES = ['_bucket', '_count', '_sum'];
/** The name of a metric in a query. */
const METRIC = /\b(http_server|mcp_server|work_suite|db_client|process|nodejs)_\w+/g;
const app = await ownNotesApp({ env: { METRICS_TOKEN: TOKEN, RATE_LIMIT_PER_KEY: '4', QUEUE_RECONCILE_MS: '200', WEBHOOK_ATTEMPTS: '2' } });
const space = await app.workspace();
const owner = await space.signIn();
const receiver = await Receiver.start();
afterAll(() => receiver.stop());

const scrape = () => new Client(app.url).get('/metrics', { Authorization: `Bearer ${TOKEN}` });

/** The value of the sample with exactly these labels; undefined if there is none. */
function sample(text: string, name: string, labels: Record<string, string> = {}): number | undefined {
  const line = text
    .split('\n')
    .map((one) => /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(one))
    .find((parts) => {
      const given = Object.fromEntries([...(parts?.[2] ?? '').matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]));
      return parts?.[1] === name && JSON.stringify(Object.entries(given).sort()) === JSON.stringify(Object.entries(labels).sort());
    });
  return line ? Number(line[3]) : undefined;
}

test('counts requests by route, tools, refusals, deliveries and jobs, and names no caller', async () => {
  const works = await receiver.subscribe(owner);
  const gone = await receiver.subscribe(owner);
  receiver.on(gone.path, (_request, response) => void response.writeHead(410).end());
  const { client, secret } = await space.key();
  const { id } = (await client.post(NOTES, { project_id: space.eng.id, title: 'measured' })).body;
  await client.get(`${NOTES}/${id}`);
  await client.get(`${NOTES}/00000000-0000-7000-8000-000000000000`);
  const params = { name: 'get_note', arguments: { id } };
  const call = await client.post('/api/v1/ext/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  expect(call.body.result.isError ?? false).toBe(false);
  expect((await client.get(`${NOTES}/${id}`)).status).toBe(429);
  expect((await new Client(app.url).get('/no/such/path')).status).toBe(404);

  const { status, headers, text } = await eventually(scrape, ({ text: now }) =>
    ['delivered', 'failed'].every((outcome) => sample(now, 'work_suite_webhook_delivery_duration_seconds_count', { outcome }) === 1),
  );
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  const requests = (http_request_method: string, http_route: string, status_class: string, module = 'notes', via = 'rest') =>
    sample(text, 'http_server_request_duration_seconds_count', { http_request_method, http_route, status_class, module, via });
  expect(requests('POST', NOTES, '2xx')).toBe(1);
  expect(requests('GET', `${NOTES}/{id}`, '2xx')).toBe(1);
  expect(requests('GET', `${NOTES}/{id}`, '4xx')).toBe(2);
  expect(requests('GET', `${NOTES}/{id}`, '2xx', 'notes', 'mcp')).toBe(1);
  expect(requests('GET', '', '4xx', 'platform')).toBe(1);
  expect(sample(text, 'mcp_server_operation_duration_seconds_count', { gen_ai_tool_name: 'get_note', status_class: '2xx' })).toBe(1);
  expect(sample(text, 'work_suite_rate_limit_refusals_total', { module: 'notes', via: 'rest' })).toBe(1);
  const keys = (outcome: string) => sample(text, 'work_suite_cache_lookups_total', { cache: 'api_keys', outcome });
  expect([keys('miss'), keys('hit')! >= 3]).toEqual([1, true]);
  expect(sample(text, 'work_suite_cache_lookups_total', { cache: 'custom_fields', outcome: 'miss' })).toEqual(expect.any(Number));
  expect(sample(text, 'work_suite_scheduled_job_duration_seconds_count', { name: 'platform.purge', outcome: 'done' })).toBe(1);
  expect(sample(text, 'db_client_connection_max')).toBe(5);
  expect(sample(text, 'db_client_connection_wait_time_seconds_count')).toBeGreaterThan(10);
  expect(sample(text, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
  for (const hidden of [secret, space.organizationId, id, works.id, '/no/such/path']) expect(text).not.toContain(hidden);
});

test('has what the dashboard and the alert rules read', async () => {
  const { text } = await scrape();
  // histograms and gauges without a value yet have only their type
  const types = new Map([...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => [name, type]));
  const series = [...types].flatMap(([name, type]) => (type === 'histogram' ? SUFFIXES.map((suffix) => name + suffix) : [name]));
  for (const file of ['docker/grafana-dashboard.json', 'docker/alerts.yml']) {
    const read = new Set(readFileSync(join(PROJECT_ROOT, file), 'utf8').match(METRIC));
    expect(read.size).toBeGreaterThanOrEqual(10);
    expect([file, [...read].filter((name) => !series.includes(name))]).toEqual([file, []]);
  }
});

test('tells what is due in each queue, and since when', async () => {
  const due = { queue: 'job', kind: 'nobody.runs_it' };
  await app.sql.query(
    `INSERT INTO jobs (id, name, organization_id, mode, actor, payload, due_at)
     SELECT gen_random_uuid(), $1, $2, 'live', '{}', '{}', now() - n * interval '1 minute' FROM generate_series(-1, 3) AS n`,
    [due.kind, space.organizationId],
  );
  const { text } = await eventually(scrape, ({ text: now }) => sample(now, 'work_suite_queue_depth', due) !== undefined);
  await app.sql.query('DELETE FROM jobs WHERE name = $1', [due.kind]);
  expect(sample(text, 'work_suite_queue_readable')).toBe(1);
  expect(sample(text, 'work_suite_queue_depth', due)).toBe(4);
  const age = sample(text, 'work_suite_queue_oldest_due_seconds', due)!;
  expect(age).toBeGreaterThanOrEqual(180);
  expect(age).toBeLessThan(240);
  expect(sample(text, 'work_suite_queue_depth', { queue: 'webhook_delivery', kind: '' })).toBe(0);
});

test('tells how many organizations have endpoints for live data that fail', async () => {
  const failing = async () => sample((await scrape()).text, 'work_suite_queue_depth', { queue: 'failing_webhook_organization', kind: '' });
  expect(await failing()).toBe(0);
  const fails = async (mode: string) => {
    await receiver.subscribe(owner);
    await app.sql.query(
      `UPDATE webhook_endpoints SET failing_since = now(), mode = $1 WHERE status = 'enabled' AND failing_since IS NULL`,
      [mode],
    );
  };
  await fails('test');
  await fails('live');
  await fails('live');
  expect(await eventually(failing, (now) => now !== 0)).toBe(1);
});

test('responds while the queues cannot be read, and says so', async () => {
  const locking = await app.sql.connect();
  await locking.query('BEGIN; LOCK TABLE webhook_deliveries IN ACCESS EXCLUSIVE MODE');
  const { text } = await eventually(scrape, ({ text: now }) => sample(now, 'work_suite_queue_readable') === 0);
  await locking.query('ROLLBACK');
  locking.release();
  expect(sample(text, 'work_suite_queue_depth', { queue: 'webhook_delivery', kind: '' })).toBeUndefined();
  expect(sample(text, 'db_client_connection_max')).toBe(5);
});

test.each([
  ['without a token', {}],
  ['with another token', { Authorization: 'Bearer token-of-the-tesT' }],
])('refuses a request %s', async (_, headers) => {
  const { status, text } = await new Client(app.url).get('/metrics', headers);
  expect([status, text]).toEqual([401, 'Send METRICS_TOKEN as a bearer token.\n']);
});
