import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import { Client } from '../../../../test/harness/client.js';
import { leadRow, person, stagesOf } from '../testing/leads.js';
import type { IssuedKey, Workspace } from '../../../../test/harness/workspace.js';

const LEADS = '/api/v1/webhooks/leads';
const UNKNOWN = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2fff';
const app = await sharedApp();
let space: Workspace;
let key: IssuedKey;
let api: Client;

beforeAll(async () => {
  space = await app.workspace();
  key = await space.key({ module: 'lead_webhook', project_id: space.eng.id, rate_limit_per_minute: 1_000_000 });
  api = key.client;
});

describe('errors', () => {
  const refused = async (body: unknown, client = api) => {
    const {
      status,
      body: { error },
    } = await client.post(LEADS, body);
    return [status, error.type, error.code, error.message, error.param];
  };
  const INVALID = 'invalid_request_error';

  it.each(['"a\\\nb"@example.com', '"a\\\rb"@example.com', 'a@example.com\u0085'])('the e-mail address %j', async (email) => {
    expect(await refused({ full_name: 'Ada', email })).toMatchObject([400, INVALID, expect.any(String), expect.any(String), 'email']);
  });

  it.each(['GET', 'PUT', 'PATCH', 'DELETE'] as const)('%s is not allowed', async (method) => {
    const send = { GET: api.get, PUT: api.put, PATCH: api.patch, DELETE: api.delete }[method].bind(api) as (
      path: string,
    ) => ReturnType<Client['get']>;
    const { status, headers, body } = await send(LEADS);
    expect([status, headers.allow, body.error.code, body.error.allowed]).toEqual([405, 'POST', 'method_not_allowed', ['POST']]);
  });

  it.each([
    ['no name', { email: 'a@example.com' }, 'missing_fields', 'full_name is required, or first_name and last_name', 'full_name'],
    [
      'half a name',
      { first_name: 'Ada', email: 'a@example.com' },
      'missing_fields',
      'full_name is required, or first_name and last_name',
      'full_name',
    ],
    ['neither email nor phone', { full_name: 'Ada' }, 'missing_fields', 'email or phone is required', 'email'],
    ['both empty', { full_name: 'Ada', email: ' ', phone: null }, 'missing_fields', 'email or phone is required', 'email'],
    ['no address', { full_name: 'Ada', email: 'ada' }, 'validation_failed', 'email must be an e-mail address', 'email'],
    [
      'custom fields as text',
      { full_name: 'Ada', email: 'a@example.com', custom_fields: '{"a":1}' },
      'validation_failed',
      'custom_fields must be a JSON object',
      'custom_fields',
    ],
    [
      'custom fields as a list',
      { full_name: 'Ada', email: 'a@example.com', custom_fields: [] },
      'validation_failed',
      'custom_fields must be a JSON object',
      'custom_fields',
    ],
    [
      'an unknown custom field',
      { full_name: 'Ada', email: 'a@example.com', custom_fields: { x: 1 } },
      'validation_failed',
      'custom_fields.x is not a custom field; there are none',
      'custom_fields.x',
    ],
    [
      'consent that is not a boolean',
      { full_name: 'Ada', email: 'a@example.com', consent_sms: 'yes' },
      'validation_failed',
      'consent_sms must be true or false',
      'consent_sms',
    ],
    [
      'a source that is not an id',
      { full_name: 'Ada', email: 'a@example.com', source_id: 'web' },
      'validation_failed',
      'source_id must be a UUID',
      'source_id',
    ],
  ])('%s', async (_, body, code, message, param) => {
    expect(await refused(body)).toEqual([400, INVALID, code, message, param]);
  });

  it.each(['source_id', 'pipeline_id', 'status_id'])('an unknown %s, for a new lead and for an existing one', async (param) => {
    const body = person();
    expect(await refused({ ...body, [param]: UNKNOWN })).toEqual([
      400,
      INVALID,
      'validation_failed',
      expect.stringContaining(param),
      param,
    ]);
    await api.post(LEADS, body);
    for (const update_if_exists of [false, true]) {
      expect(await refused({ ...body, [param]: UNKNOWN, update_if_exists })).toEqual([
        400,
        INVALID,
        'validation_failed',
        expect.stringContaining(param),
        param,
      ]);
      expect(await refused({ ...body, custom_fields: { x: 1 }, update_if_exists })).toEqual([
        400,
        INVALID,
        'validation_failed',
        'custom_fields.x is not a custom field; there are none',
        'custom_fields.x',
      ]);
    }
    expect((await api.post(LEADS, body)).body.lead.submission_count).toBe(2);
  });

  it('a status of another pipeline', async () => {
    const deal = (await stagesOf(app, space.eng.id)).find(({ pipeline_kind }) => pipeline_kind === 'deal')!;
    expect(await refused(person({ status_id: deal.id }))).toEqual([
      400,
      INVALID,
      'validation_failed',
      expect.stringContaining('status_id must belong to the pipeline'),
      'status_id',
    ]);
  });

  it('a project that is not the one the key is bound to; without a project, leads go to the default one', async () => {
    const wide = (await space.key({ module: 'lead_webhook' })).client;
    expect((await wide.post(LEADS, person())).body.lead.project_id).toBe(space.eng.id);
    expect((await wide.post(LEADS, person({ project_id: space.ops.id }))).body.lead.project_id).toBe(space.ops.id);
    expect((await refused(person({ project_id: space.ops.id }))).slice(0, 3)).toEqual([403, 'permission_error', 'project_scope_mismatch']);
  });

  it('a body of more than 64 KiB, after authentication', async () => {
    const large = JSON.stringify(person({ company_name: 'x'.repeat(64 * 1024) }));
    const json = { 'content-type': 'application/json' };
    const answer = await api.post(LEADS, large, json);
    expect([answer.status, answer.body.error.code]).toEqual([413, 'payload_too_large']);
    expect((await api.with({ authorization: 'Bearer nonsense' }).post(LEADS, large, json)).status).toBe(401);
  });

  it('a missing, revoked or inactive key, and one of another module', async () => {
    const owner = await space.signIn();
    const [revoked, inactive, other] = [
      await space.key({ module: 'lead_webhook' }),
      await space.key({ module: 'lead_webhook' }),
      await space.key({ module: 'crm' }),
    ];
    await owner.post(`/api/v1/org/developer/api-keys/${revoked.id}/revoke`);
    await owner.patch(`/api/v1/org/developer/api-keys/${inactive.id}`, { status: 'inactive' });
    const clients = [new Client(app.url), revoked.client, inactive.client, other.client];
    expect(await Promise.all(clients.map(async (client) => (await refused(person(), client)).slice(0, 3)))).toEqual([
      [401, 'authentication_error', 'missing_api_key'],
      [401, 'authentication_error', 'api_key_revoked'],
      [403, 'permission_error', 'api_key_inactive'],
      [403, 'permission_error', 'insufficient_scope'],
    ]);
  });

  it('write no lead', async () => {
    const body = person({ custom_fields: { x: 1 } });
    await refused(body);
    const written = await app.sql.query('SELECT FROM leads WHERE organization_id = $1 AND email = $2', [space.organizationId, body.email]);
    expect(written.rowCount).toBe(0);
  });
});

describe('a retry with its Idempotency-Key', () => {
  it('does not count again', async () => {
    const body = person();
    const first = await api.post(LEADS, body, { 'idempotency-key': 'submit-1' });
    const retry = await api.post(LEADS, body, { 'idempotency-key': 'submit-1' });
    expect([retry.status, retry.body, retry.headers['idempotent-replayed']]).toEqual([201, first.body, 'true']);
    expect((await leadRow(app, first.body.lead.id)).submission_count).toBe(1);
    const matched = await api.post(LEADS, body, { 'idempotency-key': 'submit-2' });
    const again = await api.post(LEADS, body, { 'idempotency-key': 'submit-2' });
    expect([again.status, again.body]).toEqual([200, matched.body]);
    expect((await leadRow(app, first.body.lead.id)).submission_count).toBe(2);
  });
});

describe('the OpenAPI document', () => {
  it('has both statuses, and the route is not a tool', async () => {
    const { paths } = (await api.get('/openapi.json')).body;
    expect(Object.keys(paths[LEADS].post.responses)).toEqual(expect.arrayContaining(['200', '201', '400', '401', '403', '413', '429']));
    const tools = await api.post(
      '/api/v1/ext/mcp',
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      { accept: 'application/json, text/event-stream' },
    );
    expect(tools.text).not.toContain('submit_lead');
  });
});
