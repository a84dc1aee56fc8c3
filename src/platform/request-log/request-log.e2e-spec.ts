import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Client, type ApiResponse } from '../../../test/harness/client.js';
import { eventually } from '../../../test/harness/eventually.js';
import { NOTES, sharedNotesApp, startNotesApp } from '../../../test/harness/fixtures/fixture-apps.js';
import type { IssuedKey, Workspace } from '../../../test/harness/workspace.js';
import { generateSecret } from '../keys/key-secret.js';
import type { RequestLog } from './request-log.js';

const LOGS = '/api/v1/org/developer/logs';
const ANALYTICS = '/api/v1/org/developer/analytics';

const app = await sharedNotesApp();
const log = app.service<RequestLog>('RequestLog');
const { writeEntries } = app.inside<typeof import('../../../test/harness/request-log.js')>('test/harness/request-log.ts');
const acme = await app.workspace();
const owner = await acme.signIn();
const key = await acme.key({ scopes: ['notes:note:read', 'notes:note:write'] });

/** The list once it contains every request that has its response. */
async function logs(query: string, client = owner): Promise<ApiResponse> {
  await log.flush();
  return client.get(`${LOGS}?${query}`);
}

async function entryOf(response: ApiResponse): Promise<Record<string, unknown>> {
  const { body } = await logs(`request_id=${response.headers['request-id']}`);
  expect(body.data).toHaveLength(1);
  return body.data[0] as Record<string, unknown>;
}

describe('an entry', () => {
  test('records caller, route, outcome and duration', async () => {
    const made = await key.client.post(
      NOTES,
      { project_id: acme.eng.id, title: 'private words' },
      { 'user-agent': `agent ${'x'.repeat(500)}` },
    );
    const entry = await entryOf(made);
    expect(entry).toEqual({
      id: expect.any(String),
      object: 'request_log',
      created_at: expect.stringMatching(/Z$/),
      api_key_id: key.id,
      member_id: null,
      project_id: null,
      mode: 'live',
      plane: 'keyed',
      method: 'POST',
      route: NOTES,
      operation: 'create_note',
      via: 'http',
      tool: null,
      status: 201,
      code: null,
      latency_ms: expect.any(Number),
      address: '127.0.0.1',
      request_id: made.headers['request-id'],
      idempotent_replay: false,
      dry_run: false,
      calls: 1,
      user_agent: expect.stringMatching(/^agent x{194}$/),
    });
    expect(entry.latency_ms).toBeGreaterThan(0);
    const { rows } = await app.sql.query<{ row: string }>(`SELECT l::text AS row FROM request_logs l`);
    for (const { row } of rows) {
      expect(row).not.toContain('private words');
      expect(row).not.toContain(key.secret.slice(9));
    }
  });

  test('names the route by its template, and a replay as one', async () => {
    const made = await key.client.post(NOTES, { project_id: acme.eng.id, title: 'once' }, { 'idempotency-key': 'log-once' });
    expect(await entryOf(await key.client.get(`${NOTES}/${made.body.id as string}?`))).toMatchObject({
      route: `${NOTES}/{id}`,
      operation: 'get_note',
    });
    const replay = await key.client.post(NOTES, { project_id: acme.eng.id, title: 'once' }, { 'idempotency-key': 'log-once' });
    expect(await entryOf(replay)).toMatchObject({ idempotent_replay: true, status: 201 });
  });

  test('marks a dry run, also by a tool', async () => {
    const note = { project_id: acme.eng.id, title: 'tried' };
    const tried = await key.client.post(NOTES, note, { 'svc-dry-run': 'true' });
    expect(await entryOf(tried)).toMatchObject({ dry_run: true, status: 201 });
    const params = { name: 'create_note', arguments: { ...note, dry_run: true } };
    await key.client.post('/api/v1/ext/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const { body } = await logs(`dry_run=true&api_key_id=${key.id}`);
    expect(body.data).toMatchObject([{ via: 'mcp', tool: 'create_note', status: 201 }, { via: 'http' }]);
  });

  test('records rejected calls with the recognized key', async () => {
    const revoked = await acme.key();
    const inactive = await acme.key();
    const blocked = await acme.key({ allowed_ips: ['2001:db8::/32'] });
    const reader = await acme.key({ scopes: ['notes:note:read'] });
    const limited = await acme.key({ rate_limit_per_minute: 1 });
    await owner.post(`/api/v1/org/developer/api-keys/${revoked.id}/revoke`);
    await owner.patch(`/api/v1/org/developer/api-keys/${inactive.id}`, { status: 'inactive' });
    await limited.client.get(NOTES);
    const cases: [IssuedKey, ApiResponse, number, string][] = [
      [revoked, await revoked.client.get(NOTES), 401, 'api_key_revoked'],
      [inactive, await inactive.client.get(NOTES), 403, 'api_key_inactive'],
      [blocked, await blocked.client.get(NOTES), 403, 'ip_not_allowed'],
      [reader, await reader.client.post(NOTES, { title: 'x' }), 403, 'insufficient_scope'],
      [limited, await limited.client.get(NOTES), 429, 'rate_limited'],
      [key, await key.client.get(`${NOTES}?colour=red`), 400, 'validation_failed'],
      [key, await key.client.get(`${NOTES}/nonsense`), 404, 'not_found'],
    ];
    for (const [used, response, status, code] of cases)
      expect(await entryOf(response)).toMatchObject({ api_key_id: used.id, status, code });
  });

  test('records calls of unknown callers, which no organization can read', async () => {
    const responses = [
      await new Client(app.url).get(NOTES),
      await new Client(app.url, { authorization: `Bearer ${generateSecret('live')}` }).get(NOTES),
    ];
    for (const response of responses) expect((await logs(`request_id=${response.headers['request-id']}`)).body.data).toEqual([]);
    const { rows } = await app.sql.query<{ status: number; code: string }>(
      `SELECT DISTINCT status, code FROM request_logs WHERE organization_id IS NULL ORDER BY code`,
    );
    expect(rows).toEqual(expect.arrayContaining(['invalid_api_key', 'missing_api_key'].map((code) => ({ status: 401, code }))));
  });

  test('counts refusals that no limit bounds, and keeps the sum', async () => {
    const limited = await acme.key({ mode: 'test', rate_limit_per_minute: 2 });
    const revoked = await acme.key();
    await owner.post(`/api/v1/org/developer/api-keys/${revoked.id}/revoke`);
    const unknown = new Client(app.url, { authorization: `Bearer ${generateSecret('live')}` });
    const countOf = async (where: string, values: unknown[] = []) => {
      await log.flush();
      const { rows } = await app.sql.query<{ rows: number; calls: number }>(
        `SELECT count(*)::int AS rows, coalesce(sum(calls), 0)::int AS calls FROM request_logs WHERE ${where}`,
        values,
      );
      return rows[0];
    };
    const before = await countOf('organization_id IS NULL');
    await Promise.all(Array.from({ length: 40 }, () => [limited, revoked].map(({ client }) => client.get(NOTES))).flat());
    await log.flush();
    await Promise.all(Array.from({ length: 20 }, () => [limited.client, unknown].map((client) => client.get(NOTES))).flat());
    const after = await countOf('organization_id IS NULL');
    const counts = await Promise.all([
      countOf(`api_key_id = $1 AND code = 'rate_limited'`, [limited.id]),
      countOf(`api_key_id = $1 AND code IS NULL`, [limited.id]),
      countOf(`api_key_id = $1 AND code = 'api_key_revoked'`, [revoked.id]),
    ]);
    expect(counts.map(({ calls }) => calls)).toEqual([58, 2, 40].map((calls, at) => (at < 2 ? calls : expect.any(Number))));
    // some calls of the revoked key are refused by its address, which failed too often
    expect(counts[2].calls + after.calls - before.calls).toBe(60);
    // two minutes at most, some codes
    expect(counts[0].rows).toBeLessThanOrEqual(2);
    expect(counts[2].rows + after.rows - before.rows).toBeLessThanOrEqual(6);

    const listed = (await logs(`api_key_id=${limited.id}&code=rate_limited`)).body.data as { calls: number; id: string }[];
    expect(listed.reduce((sum, { calls }) => sum + calls, 0)).toBe(58);
    const analytics = (await owner.get(`/api/v1/org/developer/analytics?api_key_id=${limited.id}`)).body;
    expect([analytics.totals.calls, analytics.totals.errors, analytics.by_code]).toEqual([
      60,
      58,
      [expect.objectContaining({ code: 'rate_limited', calls: 58 })],
    ]);
    const overview = (await owner.get('/api/v1/org/developer/overview?mode=test')).body;
    expect(overview.rate_limited).toEqual(expect.arrayContaining([expect.objectContaining({ api_key_id: limited.id, calls: 58 })]));
    const { rows: bodies } = await app.sql.query(
      `SELECT 1 FROM request_bodies WHERE request_id IN (SELECT request_id FROM request_logs WHERE api_key_id = $1 AND status = 429)`,
      [limited.id],
    );
    expect(bodies).toEqual([]);
  });

  test('of another organization does not exist', async () => {
    const entry = await entryOf(await key.client.get(NOTES));
    const other = await (await app.workspace()).signIn();
    expect((await owner.get(`${LOGS}/${entry.id as string}`)).body).toEqual(entry);
    expect((await other.get(`${LOGS}/${entry.id as string}`)).status).toBe(404);
    expect((await logs('', other)).body.data).toEqual([]);
  });

  test('marks the key as used, without changing its version', async () => {
    const fresh = await acme.key();
    const read = async () =>
      (await owner.get(`/api/v1/org/developer/api-keys/${fresh.id}`)).body as { last_used_at: string | null; version: number };
    expect((await read()).last_used_at).toBeNull();
    const before = Date.now();
    await fresh.client.get(NOTES);
    await log.flush();
    const used = await read();
    expect(Date.parse(used.last_used_at as string)).toBeGreaterThanOrEqual(before);
    expect(used.version).toBe(1);
  });

  test('is written automatically', async () => {
    const response = await key.client.get(NOTES);
    const logged = await eventually(
      () => owner.get(`${LOGS}?request_id=${response.headers['request-id']}`),
      ({ body }) => body.data.length > 0,
    );
    expect(logged.body.data).toHaveLength(1);
  });
});

describe('the list', () => {
  let fresh: Workspace;
  let client: Client;
  const made: { key: IssuedKey; count: number }[] = [];

  beforeAll(async () => {
    fresh = await app.workspace();
    client = await fresh.signIn();
    const live = await fresh.key();
    const test = await fresh.key({ mode: 'test', project_id: fresh.eng.id });
    for (let i = 0; i < 7; i++) await live.client.get(NOTES);
    for (let i = 0; i < 3; i++) await live.client.get(`${NOTES}/unknown`);
    for (let i = 0; i < 2; i++) await test.client.post(NOTES, { title: `t${i}`, project_id: fresh.eng.id });
    await test.client.post(NOTES, {});
    made.push({ key: live, count: 10 }, { key: test, count: 3 });
    await log.flush();
  });

  test.each<[string, number]>([
    ['', 13],
    ['status=404', 3],
    ['status=404,201', 5],
    ['status_class=2xx', 9],
    ['status_class=4xx,5xx', 4],
    ['status_class=5xx', 0],
    ['code=not_found', 3],
    ['code=missing_fields', 1],
    ['mode=test', 3],
    ['mode=live', 10],
    ['operation=list_notes', 7],
    ['operation=get_note,create_note', 6],
    ['method=POST', 3],
    ['method=HEAD', 0],
    [`route=${encodeURIComponent(`${NOTES}/{id}`)}`, 3],
    ['via=http', 13],
    ['via=mcp', 0],
    ['tool=list_notes', 0],
    ['dry_run=true', 0],
    ['dry_run=false', 13],
    ['plane=keyed', 13],
    ['latency_ms_from=0', 13],
    ['latency_ms_from=60000', 0],
    [`member_id=${randomUUID()}`, 0],
    ['project_id=none', 10],
    ['created_before=2026-01-01T00:00:00Z', 0],
    ['created_after=2026-01-01T00:00:00Z', 13],
    ['updated_after=2026-01-01T00:00:00Z', 13],
    ['status_class=4xx&mode=live', 3],
  ])('filters: %s', async (query, count) => {
    const { status, body } = await client.get(`${LOGS}?include_total=true&${query}`);
    expect([status, body.total_count, body.data.length]).toEqual([200, count, count]);
  });

  test('shows the calls of members only on request', async () => {
    const entry = {
      time: new Date(),
      organization_id: fresh.organizationId,
      project_id: null,
      mode: 'live' as const,
      api_key_id: null,
      member_id: fresh.owner.id,
      plane: 'product' as const,
      method: 'POST',
      route: '/api/v1/org/projects',
      operation: 'create_org_project',
      tool: null,
      via: 'http' as const,
      status: 201,
      code: null,
      latency_ms: 1,
      address: '127.0.0.1',
      request_id: 'req_product',
      idempotent_replay: false,
      dry_run: false,
      user_agent: null,
    };
    await writeEntries([entry]);
    const count = async (query: string) => (await client.get(`${LOGS}?include_total=true&${query}`)).body.total_count as number;
    expect([
      await count(''),
      await count('plane=product'),
      await count('plane=keyed,product'),
      await count('request_id=req_product'),
    ]).toEqual([13, 1, 14, 0]);
    const { body } = await client.get(`${LOGS}?plane=product`);
    expect(body.data[0]).toMatchObject({ plane: 'product', member_id: fresh.owner.id, api_key_id: null, operation: 'create_org_project' });
    expect((await client.get(`${LOGS}/${body.data[0].id as string}`)).body).toEqual(body.data[0]);
    const calls = async (query: string) => (await client.get(`${ANALYTICS}?${query}`)).body.totals.calls as number;
    expect([await calls(''), await calls('plane=product')]).toEqual([13, 1]);
    expect((await client.get(`${LOGS}?plane=public`)).body.error.allowed).toEqual(['keyed', 'product']);
  });

  test('by key', async () => {
    for (const { key: used, count } of made)
      expect((await client.get(`${LOGS}?include_total=true&api_key_id=${used.id}`)).body.total_count).toBe(count);
    expect((await client.get(`${LOGS}?include_total=true&api_key_id=${made.map((one) => one.key.id).join(',')}`)).body.total_count).toBe(
      13,
    );
  });

  test('lists every entry once, newest first, while more are logged', async () => {
    const seen: { id: string; created_at: string }[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await client.get(`${LOGS}?limit=4${cursor && `&cursor=${cursor}`}`);
      seen.push(...(body.data as typeof seen));
      cursor = body.next_cursor as string | null;
      await made[0].key.client.get(NOTES);
      await log.flush();
    }
    expect(seen).toHaveLength(13);
    expect(new Set(seen.map(({ id }) => id)).size).toBe(13);
    expect(seen.map(({ created_at }) => created_at)).toEqual(
      seen
        .map(({ created_at }) => created_at)
        .sort()
        .reverse(),
    );
  });

  test('rejects an unknown filter', async () => {
    expect((await client.get(`${LOGS}?address=127.0.0.1`)).status).toBe(400);
    expect((await client.get(`${LOGS}?status_class=6xx`)).body.error.allowed).toEqual(['2xx', '3xx', '4xx', '5xx']);
  });
});

test("calls of a module's keys can require a separate permission", async () => {
  const fresh = await app.workspace();
  const [plain, lead] = [await fresh.key(), await fresh.key()];
  await app.sql.query(`UPDATE api_keys SET module = 'open_forms' WHERE id = $1`, [lead.id]);
  await plain.client.get(NOTES);
  await lead.client.get(NOTES);
  const client = await fresh.signIn((await fresh.member('developer')).email);
  expect((await logs('', client)).body.data).toHaveLength(2);
  const { body } = await client.get(`${LOGS}?api_key_id=${lead.id}`);
  await app.sql.query(`UPDATE roles SET permissions = '{org.developer.logs.view}' WHERE organization_id = $1 AND name = 'developer'`, [
    fresh.organizationId,
  ]);
  expect((await logs('', client)).body.data.map(({ api_key_id }: { api_key_id: string }) => api_key_id)).toEqual([plain.id]);
  expect((await client.get(`${LOGS}/${body.data[0].id as string}`)).status).toBe(404);
  expect((await client.get(ANALYTICS)).body.totals.calls).toBe(1);
  expect((await client.get('/api/v1/org/developer/overview')).body.totals.calls).toBe(1);
});

describe('the table', () => {
  test('a row that PostgreSQL rejects does not affect the others', async () => {
    const entry = {
      time: new Date(),
      organization_id: acme.organizationId,
      project_id: null,
      mode: 'live' as const,
      api_key_id: key.id,
      member_id: null,
      plane: 'keyed' as const,
      method: 'GET',
      route: NOTES,
      operation: 'list_notes',
      tool: null,
      via: 'http' as const,
      status: 200,
      code: null,
      latency_ms: 1,
      address: '127.0.0.1',
      idempotent_replay: false,
      dry_run: false,
      user_agent: 'a\0b\ud800',
    };
    const lost = await writeEntries([
      { ...entry, request_id: 'req_good_1' },
      { ...entry, request_id: 'req_bad', status: 70_000 },
      { ...entry, request_id: 'req_good_2' },
    ]);
    const { rows } = await app.sql.query(
      `SELECT request_id, user_agent FROM request_logs WHERE request_id LIKE 'req\\_%d%' AND user_agent LIKE 'ab%' ORDER BY request_id`,
    );
    expect(rows).toEqual([
      { request_id: 'req_good_1', user_agent: 'ab\ufffd' },
      { request_id: 'req_good_2', user_agent: 'ab\ufffd' },
    ]);
    expect(lost).toBe(1);
  });

  test('deletes only entries older than the retention', async () => {
    const insert = (days: number) =>
      app.sql.query(
        `INSERT INTO request_logs (id, plane, method, via, status, latency_ms, address, request_id, created_at, updated_at)
         SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7000800000000000' || lpad(to_hex(n), 4,
         '0'))::uuid, 'keyed', 'GET', 'http', 200, 1, '::1', 'req_aged', at, at
         FROM generate_series(1, 6000) n, LATERAL (SELECT now() - $1 * interval '1 day' AS at) t`,
        [days],
      );
    await insert(29.99);
    await insert(30.01);
    await app.runScheduledJob('platform.purge');
    const { rows } = await app.sql.query(
      `SELECT count(*)::int AS count, min(created_at) > now() - interval '30 days' AS kept FROM request_logs WHERE request_id = 'req_aged'`,
    );
    expect(rows).toEqual([{ count: 6000, kept: true }]);
  });
});

test('responses sent before a shutdown are in the log after it', async () => {
  const second = await startNotesApp({ databaseUrl: app.databaseUrl });
  const response = await new Client(second.url, key.client.headers).get(NOTES);
  await second.close();
  const { rows } = await app.sql.query(`SELECT status FROM request_logs WHERE request_id = $1`, [response.headers['request-id']]);
  expect(rows).toHaveLength(1);
});
