import { describe, expect, test } from '@jest/globals';
import { NOTES, sharedNotesApp } from '../../../test/harness/fixtures/fixture-apps.js';
import type { RequestLog } from './request-log.js';

const ANALYTICS = '/api/v1/org/developer/analytics';
const OVERVIEW = '/api/v1/org/developer/overview';

const app = await sharedNotesApp();

describe('analytics', () => {
  test('add up to the calls that were made', async () => {
    const fresh = await app.workspace();
    const client = await fresh.signIn();
    const [one, two] = [await fresh.key({ mode: 'test' }), await fresh.key({ project_id: fresh.ops.id })];
    await one.client.get(`${NOTES}/unknown`);
    // the errors below are more than a millisecond apart
    for (let i = 0; i < 6; i++) await one.client.get(NOTES);
    await two.client.post(NOTES, { title: 'counted', project_id: fresh.ops.id });
    await two.client.post(NOTES, {});
    await one.client.get(`${NOTES}/unknown`);
    await app.service<RequestLog>('RequestLog').flush();

    const { status, body } = await client.get(ANALYTICS);
    expect(status).toBe(200);
    expect(body.totals).toMatchObject({
      calls: 10,
      errors: 3,
      error_rate: 0.3,
      latency_ms_p50: expect.any(Number),
      latency_ms_p95: expect.any(Number),
    });
    expect(body.totals.latency_ms_p95).toBeGreaterThanOrEqual(body.totals.latency_ms_p50);
    const sum = (rows: { calls: number; errors: number }[]) =>
      rows.reduce(([calls, errors], row) => [calls + row.calls, errors + row.errors], [0, 0]);
    for (const part of ['by_interval', 'by_route', 'by_status', 'by_key']) expect([part, ...sum(body[part])]).toEqual([part, 10, 3]);
    expect(body.by_status.map((row: { status: number; calls: number }) => [row.status, row.calls])).toEqual([
      [200, 6],
      [201, 1],
      [400, 1],
      [404, 2],
    ]);
    expect(body.by_route.map((row: { operation: string; calls: number }) => [row.operation, row.calls])).toEqual([
      ['list_notes', 6],
      ['create_note', 2],
      ['get_note', 2],
    ]);
    expect(
      body.by_key.map((row: { api_key_id: string; calls: number; errors: number }) => [row.api_key_id, row.calls, row.errors]),
    ).toEqual([
      [one.id, 8, 2],
      [two.id, 2, 1],
    ]);
    expect(body.by_code.map((row: { code: string; calls: number; errors: number }) => [row.code, row.calls, row.errors])).toEqual([
      ['not_found', 2, 2],
      ['missing_fields', 1, 1],
    ]);
    expect(body.by_tool).toEqual([]);
    expect(body.totals.latency_ms_p99).toBeGreaterThanOrEqual(body.totals.latency_ms_p95);
    expect(body.by_interval).toHaveLength(25);

    const { body: overview } = await client.get(OVERVIEW);
    expect(overview.totals).toEqual(body.totals);
    expect(overview.by_interval.map(({ calls, errors }: Record<string, number>) => [calls, errors])).toEqual(
      body.by_interval.map(({ calls, errors }: Record<string, number>) => [calls, errors]),
    );
    const [worst, other] = overview.errors;
    expect(worst).toMatchObject({ calls: 2, status: 404, code: 'not_found', operation: 'get_note', api_key_id: one.id });
    expect(worst.first_at < worst.last_at).toBe(true);
    expect((await client.get(`/api/v1/org/developer/logs/${worst.last_log_id as string}`)).body).toMatchObject({
      created_at: worst.last_at,
      code: 'not_found',
    });
    expect(other).toMatchObject({ calls: 1, code: 'missing_fields', api_key_id: two.id });
    expect((await client.get(`${OVERVIEW}?mode=test`)).body.errors).toEqual([worst]);

    const calls = async (query: string) => (await client.get(`${ANALYTICS}?${query}`)).body.totals.calls as number;
    expect(await calls('mode=test')).toBe(8);
    expect(await calls('operation=get_note&code=not_found&status=404')).toBe(2);
    expect(await calls('tool=list_notes')).toBe(0);
    expect(await calls(`project_id=${fresh.ops.id}`)).toBe(2);
    expect(await calls(`api_key_id=${one.id}`)).toBe(8);
    expect(await calls('from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z')).toBe(0);
    expect((await client.get(`${ANALYTICS}?interval=day`)).body.by_interval).toHaveLength(2);
  });

  test('count the calls of MCP tools by tool', async () => {
    const fresh = await app.workspace();
    const { client } = await fresh.key();
    const call = (name: string, args: object) =>
      client.post(
        '/api/v1/ext/mcp',
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
        { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' },
      );
    for (let i = 0; i < 2; i++) expect((await call('list_notes', {})).status).toBe(200);
    await call('get_note', { id: fresh.eng.id });
    await app.service<RequestLog>('RequestLog').flush();
    const { body } = await (await fresh.signIn()).get(ANALYTICS);
    expect(body.by_tool.map((row: { tool: string; calls: number; errors: number }) => [row.tool, row.calls, row.errors])).toEqual([
      ['list_notes', 2, 0],
      ['get_note', 1, 1],
    ]);
  });

  test('show which keys run into their limit', async () => {
    const fresh = await app.workspace();
    const { id, client } = await fresh.key({ rate_limit_per_minute: 1 });
    for (let i = 0; i < 3; i++) await client.get(NOTES);
    await app.service<RequestLog>('RequestLog').flush();
    const { body } = await (await fresh.signIn()).get(OVERVIEW);
    expect([body.errors, body.rate_limited]).toEqual([[], [expect.objectContaining({ api_key_id: id, calls: 2 })]]);
  });

  test('are the same from the counts of whole days as from the entries', async () => {
    const fresh = await app.workspace();
    const client = await fresh.signIn();
    const [live, test, lead] = [await fresh.key(), await fresh.key({ mode: 'test' }), await fresh.key()];
    for (const { client: caller } of [live, live, test, lead]) {
      await caller.get(NOTES);
      await caller.get(`${NOTES}/unknown`);
    }
    await app.sql.query(`UPDATE api_keys SET module = 'open_forms' WHERE id = $1`, [lead.id]);
    await app.service<RequestLog>('RequestLog').flush();
    // the job, which also runs by itself every ten minutes, may have counted that day
    await app.sql.query('TRUNCATE request_log_days, request_log_counts');
    // as if the calls had been made two days ago, some of them one hour earlier
    await app.sql.query(
      `UPDATE request_logs l SET created_at = moved, id = (lpad(to_hex((extract(epoch FROM moved) * 1000)::bigint), 12, '0')
         || right(replace(l.id::text, '-', ''), 20))::uuid
       FROM (SELECT id, date_trunc('day', now()) - interval '40 hours' - status / 404 * interval '1 hour' AS moved FROM request_logs) AS m
       WHERE m.id = l.id AND organization_id = $1`,
      [fresh.organizationId],
    );
    const developer = await fresh.signIn((await fresh.member('developer')).email);
    await app.sql.query(`UPDATE roles SET permissions = '{org.developer.logs.view}' WHERE organization_id = $1 AND name = 'developer'`, [
      fresh.organizationId,
    ]);
    const [from, to] = [new Date(Date.now() - 5 * 86_400_000), new Date()].map((time) => encodeURIComponent(time.toISOString()));
    const read = async () => {
      const queries = ['', '&mode=test', '&interval=day', '&plane=product'];
      const answers = queries.flatMap((query) => [client, developer].map((by) => by.get(`${ANALYTICS}?from=${from}&to=${to}${query}`)));
      return (await Promise.all(answers)).map(({ body }) => body);
    };
    const fromEntries = await read();
    expect(fromEntries.map(({ totals }) => totals.calls)).toEqual([8, 6, 2, 2, 8, 6, 0, 0]);
    for (const _ of ['once', 'and again']) await app.runScheduledJob('request_log.count_days');
    expect(await read()).toEqual(fromEntries);
    await app.sql.query(`DELETE FROM request_logs WHERE organization_id = $1`, [fresh.organizationId]);
    expect(await read()).toEqual(fromEntries);
    expect((await client.get(`${ANALYTICS}?from=${from}&operation=list_notes`)).body.totals.calls).toBe(0);
  });

  test('reject a span that is empty or longer than 31 days', async () => {
    const owner = await (await app.workspace()).signIn();
    for (const query of ['from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z', 'from=2026-01-01T00:00:00Z&to=2026-02-02T00:00:00Z']) {
      const response = await owner.get(`${ANALYTICS}?${query}`);
      expect([response.status, response.body.error.param]).toEqual([400, 'from']);
    }
    expect((await owner.get(`${ANALYTICS}?from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z`)).status).toBe(200);
  });
});
