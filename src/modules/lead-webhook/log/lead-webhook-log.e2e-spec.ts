import { beforeAll, describe, expect, it, test } from '@jest/globals';
import { ownApp, startApp } from '../../../../test/harness/hosted-app.js';
import { Client, type ApiResponse } from '../../../../test/harness/client.js';
import type { IncomingMessage } from 'node:http';
import { eventually } from '../../../../test/harness/eventually.js';
import type { IssuedKey, Workspace } from '../../../../test/harness/workspace.js';

const LEADS = '/api/v1/webhooks/leads';
const LOGS = '/api/v1/org/developer/lead-webhook-logs';
const DAY_MS = 86_400_000;
const JSON_TYPE = { 'content-type': 'application/json' };

const app = await ownApp();
let space: Workspace;
let key: IssuedKey;
let owner: Client;

beforeAll(async () => {
  space = await app.workspace();
  owner = await space.signIn();
  key = await space.key({ module: 'lead_webhook', project_id: space.eng.id, rate_limit_per_minute: 1_000_000 });
});

/** Writes the rows that wait for a batch. */
const flush = () => app.service<{ flush(): Promise<void> }>('PgBatchedInserts').flush();

async function logged(response: Pick<IncomingMessage, 'headers'>): Promise<ApiResponse['body']> {
  const id = response.headers['request-id'] as string;
  const list = await eventually(
    () => owner.get(`${LOGS}?request_id=${id}`),
    ({ body }) => body.data.length > 0,
  );
  return (await owner.get(`${LOGS}/${list.body.data[0].id}`)).body;
}

describe('the log', () => {
  it('has the result of a submission, under the log_id of the response', async () => {
    const body = { full_name: 'Ada', email: 'log@example.com', unknown: { a: 1 } };
    const created = await key.client.post(LEADS, body, { 'idempotency-key': 'log-1', 'user-agent': 'Form/1' });
    const row = await logged(created);
    expect(row).toEqual({
      id: created.body.log_id,
      object: 'lead_webhook_log',
      created_at: expect.stringMatching(/Z$/),
      api_key_id: key.id,
      project_id: space.eng.id,
      mode: 'live',
      address: '127.0.0.1',
      user_agent: 'Form/1',
      status: 201,
      code: null,
      result: 'created',
      lead_id: created.body.lead.id,
      candidate_ids: [],
      duration_ms: expect.any(Number),
      request_id: created.headers['request-id'],
      body: JSON.stringify(body),
      body_bytes: JSON.stringify(body).length,
      body_masked: false,
    });
    // work, not administration; and the audit log would keep the person's data for long
    const { body: audited } = await owner.get(`/api/v1/org/audit-entries?request_id=${String(created.headers['request-id'])}`);
    expect(audited.data).toEqual([]);
    expect(await logged(await key.client.post(LEADS, body))).toMatchObject({
      result: 'matched',
      status: 200,
      lead_id: created.body.lead.id,
    });
    expect(await logged(await key.client.post(LEADS, { ...body, update_if_exists: true }))).toMatchObject({ result: 'updated' });
    expect(await logged(await key.client.post(LEADS, body, { 'idempotency-key': 'log-1' }))).toMatchObject({
      result: 'replayed',
      status: 201,
      lead_id: created.body.lead.id,
    });
  });

  it('is written in the transaction of the lead, so that a crash after the response loses nothing', async () => {
    const { body } = await key.client.post(LEADS, { full_name: 'Ada', phone: '+49301110000' });
    const again = await key.client.post(LEADS, { full_name: 'Ada', phone: '+49301110000' });
    const written = async () =>
      (
        await app.sql.query('SELECT id, result, lead_id FROM lead_webhook_logs WHERE id = ANY($1) ORDER BY id', [
          [body.log_id, again.body.log_id],
        ])
      ).rows;
    const rows = [
      { id: body.log_id, result: 'created', lead_id: body.lead.id },
      { id: again.body.log_id, result: 'matched', lead_id: body.lead.id },
    ];
    expect(await written()).toEqual(rows);
    await flush();
    expect(await written()).toEqual(rows);
  });

  it('has all candidates of an ambiguous match', async () => {
    const ids = [];
    for (const body of [{ email: 'one@log.example' }, { phone: '+49301234567' }])
      ids.push((await key.client.post(LEADS, { full_name: 'Two', ...body })).body.lead.id);
    const both = await key.client.post(LEADS, { full_name: 'Two', email: 'one@log.example', phone: '+49301234567' });
    expect(await logged(both)).toMatchObject({ lead_id: ids[0], candidate_ids: ids });
    expect((await owner.get(`${LOGS}?ambiguous=true`)).body.data).toHaveLength(1);
  });

  it('has rejected requests, with their bodies', async () => {
    const bad = await key.client.post(LEADS, { email: 'nobody@example.com' });
    expect(await logged(bad)).toMatchObject({
      status: 400,
      code: 'missing_fields',
      result: 'refused',
      lead_id: null,
      body: '{"email":"nobody@example.com"}',
    });
    const broken = await key.client.post(LEADS, '{"a":', JSON_TYPE);
    expect(await logged(broken)).toMatchObject({ status: 400, code: 'invalid_body', body: '{"a":', body_bytes: 5 });
    const large = await key.client.post(LEADS, JSON.stringify({ full_name: 'x'.repeat(70_000) }), JSON_TYPE);
    const row = await logged(large);
    expect(row).toMatchObject({ status: 413, code: 'payload_too_large', body_bytes: 70_016 });
    expect(row.body).toHaveLength(65_536);
    expect(await logged(await key.client.post(LEADS, JSON.stringify({ full_name: 'x'.repeat(1024 * 1024) }), JSON_TYPE))).toMatchObject({
      status: 413,
      code: 'payload_too_large',
      api_key_id: key.id,
      body: null,
      body_bytes: null,
    });
  });

  it('has requests with rejected keys', async () => {
    const [revoked, inactive, other, limited] = [
      await space.key({ module: 'lead_webhook' }),
      await space.key({ module: 'lead_webhook' }),
      await space.key({ module: 'crm' }),
      await space.key({ module: 'lead_webhook', rate_limit_per_minute: 1 }),
    ];
    await owner.post(`/api/v1/org/developer/api-keys/${revoked.id}/revoke`);
    await owner.patch(`/api/v1/org/developer/api-keys/${inactive.id}`, { status: 'inactive' });
    await limited.client.post(LEADS, {});
    const body = { full_name: 'Ada' };
    for (const [{ client, id }, status, code] of [
      [revoked, 401, 'api_key_revoked'],
      [inactive, 403, 'api_key_inactive'],
      [other, 403, 'insufficient_scope'],
      [limited, 429, 'rate_limited'],
    ] as const) {
      expect(await logged(await client.post(LEADS, body))).toMatchObject({
        status,
        code,
        api_key_id: id,
        result: 'refused',
        body: '{"full_name":"Ada"}',
      });
    }
    const before = (await app.sql.query('SELECT count(*) FROM lead_webhook_logs')).rows[0].count;
    await key.client.with({ authorization: 'Bearer unknown' }).post(LEADS, body);
    await flush();
    expect((await app.sql.query('SELECT count(*) FROM lead_webhook_logs')).rows[0].count).toBe(before);
  });

  it('can be filtered, needs its own permission and is separate for each organization', async () => {
    expect((await owner.get(`${LOGS}?result=refused&status=400&api_key_id=${key.id}`)).body.data).toHaveLength(2);
    const member = await space.signIn((await space.member('member')).email);
    expect((await member.get(LOGS)).body.error.required_permission).toBe('org.developer.leadkeys.logs.view');
    const otherOwner = await (await app.workspace()).signIn();
    expect((await otherOwner.get(LOGS)).body.data).toEqual([]);
    const { id } = (await owner.get(`${LOGS}?limit=1`)).body.data[0];
    expect((await otherOwner.get(`${LOGS}/${id}`)).status).toBe(404);
  });
});

describe('the retention', () => {
  it('masks bodies after 30 days and deletes rows after 90', async () => {
    const response = await key.client.post(LEADS, { full_name: 'Old Secret', email: 'old@example.com', utm_source: 'x' });
    const { id } = await logged(response);
    const other = await app.workspace();
    const otherKey = await other.key({ module: 'lead_webhook', project_id: other.eng.id });
    await otherKey.client.post(LEADS, { full_name: 'Another Secret' });
    const counts = async () =>
      (await app.sql.query(`SELECT count(*)::int AS total, count(*) FILTER (WHERE body_masked)::int AS masked FROM lead_webhook_logs`))
        .rows[0];
    const after = async (days: number) => {
      const now = new Date(Date.now() + days * DAY_MS);
      await app.runScheduledJob('lead_webhook.mask_bodies', now);
      await app.runScheduledJob('platform.purge', now);
      return counts();
    };
    await flush();
    const { total } = await counts();
    expect(await after(29)).toEqual({ total, masked: 0 });
    expect(await after(31)).toEqual({ total, masked: total });
    owner = await space.signIn(); // the purge has deleted the sessions, too
    const { body } = await owner.get(`${LOGS}/${id}`);
    expect(body).toMatchObject({ body_masked: true, result: 'created', body: '{"full_name":"***","email":"***","utm_source":"x"}' });
    expect(await after(31)).toEqual({ total, masked: total });
    expect(await after(91)).toEqual({ total: 0, masked: 0 });
    owner = await space.signIn();
    expect((await owner.get(`${LOGS}/${id}`)).status).toBe(404);
  });
});

test('requests rejected before the shutdown are in the log after it', async () => {
  const second = await startApp({ databaseUrl: app.databaseUrl });
  const response = await new Client(second.url, key.client.headers).post(LEADS, { email: 'late@example.com' });
  await second.close();
  const { rows } = await app.sql.query(`SELECT status FROM lead_webhook_logs WHERE request_id = $1`, [response.headers['request-id']]);
  expect(rows).toEqual([{ status: 400 }]);
});
