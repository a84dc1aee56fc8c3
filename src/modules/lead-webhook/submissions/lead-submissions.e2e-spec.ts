import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import type { Client } from '../../../../test/harness/client.js';
import { leadRow, person, stagesOf } from '../testing/leads.js';
import type { IssuedKey, Workspace } from '../../../../test/harness/workspace.js';

const LEADS = '/api/v1/webhooks/leads';
const NEVER_ASKED = { granted: null, timestamp: null, source: null };
const app = await sharedApp();
let space: Workspace;
let key: IssuedKey;
let api: Client;

beforeAll(async () => {
  space = await app.workspace();
  key = await space.key({ module: 'lead_webhook', project_id: space.eng.id, rate_limit_per_minute: 1_000_000 });
  api = key.client;
});

async function define(key: string, type: string): Promise<void> {
  await app.sql.query(
    `INSERT INTO custom_fields (id, organization_id, project_id, resource, key, label, type, position)
     VALUES (gen_random_uuid(), $1, $2, 'lead', $3, $3, $4, 1)`,
    [space.organizationId, space.eng.id, key, type],
  );
}

describe('a new person', () => {
  it('becomes a lead in the default pipeline; the response has only ids and counters', async () => {
    const body = person({ phone: '+49 30 901820', company_name: 'Acme', utm_source: 'newsletter', external_id: ' form-1 ' });
    const response = await api.post(LEADS, body);
    expect(response.status).toBe(201);
    const [first] = await stagesOf(app, space.eng.id);
    expect(response.body).toEqual({
      object: 'lead_submission',
      result: 'created',
      matched_by: null,
      warnings: [],
      log_id: expect.any(String),
      lead: {
        id: expect.any(String),
        project_id: space.eng.id,
        pipeline_id: first.pipeline_id,
        status_id: first.id,
        owner_id: null,
        submission_count: 1,
        score: 0,
        created_at: expect.stringMatching(/Z$/),
      },
    });
    expect(await leadRow(app, response.body.lead.id)).toMatchObject({
      full_name: body.full_name,
      first_name: 'Ada Lovelace',
      email: body.email,
      phone_normalized: '+4930901820',
      external_id: 'form-1',
      mode: 'live',
      project_id: space.eng.id,
      score: 0,
      consent: { email: NEVER_ASKED, sms: NEVER_ASKED, whatsapp: NEVER_ASKED },
      created_by: { type: 'api_key', id: key.id, email: null },
    });
  });

  it.each([
    ['first and last name', { first_name: 'Grace', last_name: 'Hopper', email: 'grace@example.com' }, { full_name: 'Grace Hopper' }],
    [
      'a phone number alone',
      { full_name: 'Phone Only', phone: '0171 / 555 01' },
      { phone: '0171 / 555 01', phone_normalized: '017155501', email: null },
    ],
    [
      'null and empty text for missing values',
      {
        full_name: 'No Body',
        first_name: null,
        email: ' No.Body@EXAMPLE.com ',
        phone: '',
        company_name: ' ',
        job_title: null,
        source_id: null,
        pipeline_id: null,
        custom_fields: null,
        consent_email: null,
        update_if_exists: null,
        external_id: '',
      },
      { email: 'No.Body@EXAMPLE.com', email_normalized: 'no.body@example.com', phone: null, company_name: null, external_id: null },
    ],
    [
      'a domain in another script',
      { full_name: 'Jürgen Möller', email: 'j.moeller@Bücher.example' },
      { email_normalized: 'j.moeller@xn--bcher-kva.example' },
    ],
  ])('is accepted with %s', async (_, body, row) => {
    const response = await api.post(LEADS, body);
    expect([response.status, response.body.result]).toEqual([201, 'created']);
    expect(await leadRow(app, response.body.lead.id)).toMatchObject(row);
  });

  it('starts in the given status, or in the first status of the given pipeline', async () => {
    const [first, second] = (await stagesOf(app, space.eng.id)).filter(({ pipeline_kind }) => pipeline_kind === 'lead');
    expect((await api.post(LEADS, person({ status_id: second.id }))).body.lead.status_id).toBe(second.id);
    expect((await api.post(LEADS, person({ pipeline_id: first.pipeline_id }))).body.lead.status_id).toBe(first.id);
  });

  it('gets its owner by the assignment rules, only once', async () => {
    await app.sql.query(
      `INSERT INTO lead_assignment_rules (id, organization_id, project_id, name, position, conditions, assign, member_ids)
       VALUES (gen_random_uuid(), $1, $2, 'Acme', 1, '[{"field":"company_name","op":"eq","value":"Assigned"}]', 'user', ARRAY[$3::uuid])`,
      [space.organizationId, space.ops.id, space.owner.id],
    );
    const ops = (await space.key({ module: 'lead_webhook', project_id: space.ops.id })).client;
    const body = person({ company_name: 'Assigned' });
    const created = await ops.post(LEADS, body);
    expect(created.body.lead).toMatchObject({ owner_id: space.owner.id, score: 0 });
    await app.sql.query('UPDATE leads SET owner_id = NULL WHERE id = $1', [created.body.lead.id]);
    expect((await ops.post(LEADS, { ...body, update_if_exists: true })).body.lead.owner_id).toBeNull();
    expect((await ops.post(LEADS, person())).body.lead.owner_id).toBeNull();
  });
});

describe('an existing lead', () => {
  it('is counted, and nothing else changes', async () => {
    const body = person();
    const first = (await api.post(LEADS, body)).body.lead;
    const again = await api.post(LEADS, { ...body, email: body.email.toUpperCase(), full_name: 'Other Name', job_title: 'Boss' });
    expect([again.status, again.body]).toEqual([
      200,
      {
        object: 'lead_submission',
        result: 'matched',
        matched_by: 'email',
        warnings: [],
        log_id: expect.any(String),
        lead: { ...first, submission_count: 2 },
      },
    ]);
    expect(await leadRow(app, first.id)).toMatchObject({ full_name: body.full_name, job_title: null, submission_count: 2 });
  });

  it('is updated with update_if_exists: only the fields sent, custom fields merged', async () => {
    await define('budget', 'number');
    await define('topic', 'text');
    const body = person({ company_name: 'Acme', custom_fields: { topic: 'Boats', budget: 1 } });
    const { lead } = (await api.post(LEADS, body)).body;
    const response = await api.post(LEADS, {
      full_name: 'Ada King',
      email: body.email,
      job_title: 'Countess',
      company_name: null,
      custom_fields: { budget: 2, topic: null },
      update_if_exists: true,
    });
    expect([response.status, response.body.result, response.body.matched_by]).toEqual([200, 'updated', 'email']);
    expect(response.body.lead.submission_count).toBe(2);
    expect(response.body.changed_fields.sort()).toEqual(['custom_fields', 'first_name', 'full_name', 'job_title', 'last_name']);
    expect(await leadRow(app, lead.id)).toMatchObject({
      full_name: 'Ada King',
      last_name: 'King',
      job_title: 'Countess',
      company_name: 'Acme',
      custom_fields: { topic: 'Boats', budget: 2 },
      status_id: lead.status_id,
    });
  });

  it('is moved only when a status is sent', async () => {
    const [, second] = await stagesOf(app, space.eng.id);
    const body = person();
    await api.post(LEADS, { ...body, status_id: second.id });
    expect((await api.post(LEADS, { ...body, update_if_exists: true })).body).toMatchObject({
      changed_fields: [],
      lead: { status_id: second.id },
    });
    const [first] = await stagesOf(app, space.eng.id);
    expect((await api.post(LEADS, { ...body, status_id: first.id, update_if_exists: true })).body).toMatchObject({
      changed_fields: ['status_id'],
      lead: { status_id: first.id },
    });
  });

  it('is matched by external_id before email before phone; the oldest of equal matches wins', async () => {
    const [a, b, c] = [person({ external_id: 'x-1' }), person(), person({ phone: '+491711234567' })];
    const [idA, idB, idC] = [
      (await api.post(LEADS, a)).body.lead.id,
      (await api.post(LEADS, b)).body.lead.id,
      (await api.post(LEADS, c)).body.lead.id,
    ];
    const send = async (body: object) => (await api.post(LEADS, { full_name: 'Who', ...body })).body;
    expect(await send({ external_id: 'x-1', email: b.email, phone: '0049 171 1234567' })).toMatchObject({
      lead: { id: idA },
      matched_by: 'external_id',
      ambiguous: true,
    });
    expect(await send({ external_id: 'unknown', email: b.email, phone: '+49 171 1234567' })).toMatchObject({
      lead: { id: idB },
      matched_by: 'email',
      ambiguous: true,
    });
    const single = await send({ external_id: 'X-1', phone: '+49 (171) 123-4567' });
    expect(single).toMatchObject({ lead: { id: idC }, matched_by: 'phone' });
    expect(single).not.toHaveProperty('ambiguous');
    // a screen may write the same address twice
    await app.sql.query('UPDATE leads SET email = $2, email_normalized = $2 WHERE id = $1', [idC, a.email]);
    expect(await send({ email: a.email })).toMatchObject({ lead: { id: idA }, matched_by: 'email', ambiguous: true });
  });

  it.each(['0000000000', '1', '-1-', '+49 000 0000000'])('is not matched by %j, which identifies nobody', async (phone) => {
    const one = (await api.post(LEADS, { full_name: 'Ines Duarte', phone })).body;
    const other = await api.post(LEADS, { full_name: 'Per Olsen', phone, update_if_exists: true });
    expect([other.status, other.body.result]).toEqual([201, 'created']);
    expect(await leadRow(app, one.lead.id)).toMatchObject({ full_name: 'Ines Duarte', phone, submission_count: 1 });
  });

  it('is matched by phone only with the same extension', async () => {
    const send = async (phone: string) => (await api.post(LEADS, { full_name: 'Desk', phone })).body;
    const first = await send('+1 415 555 2671 x12');
    expect((await send('+1 (415) 555-2671 ext. 13')).result).toBe('created');
    expect((await send('+14155552671')).result).toBe('created');
    expect(await send('+1-415-555-2671;ext=12')).toMatchObject({ result: 'matched', lead: { id: first.lead.id } });
  });

  it('is not matched after its deletion, nor in another project or mode', async () => {
    const body = person();
    const { lead } = (await api.post(LEADS, body)).body;
    const elsewhere = (await space.key({ module: 'lead_webhook', project_id: space.ops.id })).client;
    const test = (await space.key({ module: 'lead_webhook', project_id: space.eng.id, mode: 'test' })).client;
    expect((await elsewhere.post(LEADS, body)).status).toBe(201);
    const tested = await test.post(LEADS, body);
    expect([tested.status, tested.headers['svc-mode']]).toEqual([201, 'test']);
    expect((await test.post(LEADS, body)).body).toMatchObject({ result: 'matched', lead: { id: tested.body.lead.id } });
    await app.sql.query('DELETE FROM leads WHERE id = $1', [lead.id]);
    expect((await api.post(LEADS, body)).status).toBe(201);
  });

  it('in test mode is not in the live list', async () => {
    const crm = async (mode: 'live' | 'test') => (await space.key({ module: 'crm', project_id: space.eng.id, mode })).client;
    const test = (await space.key({ module: 'lead_webhook', project_id: space.eng.id, mode: 'test' })).client;
    const { id } = (await test.post(LEADS, person())).body.lead;
    expect((await (await crm('live')).get(`/api/v1/ext/crm/leads/${id}`)).status).toBe(404);
    expect((await (await crm('test')).get(`/api/v1/ext/crm/leads/${id}`)).status).toBe(200);
  });
});

describe('under concurrency', () => {
  it('100 submissions of one person create one lead, counted 100 times', async () => {
    const body = person({ external_id: 'parallel', phone: '+491709999999' });
    // each names the person by another of its values, and one always by all of them
    const parts = [body, { full_name: body.full_name, email: body.email }];
    const responses = await Promise.all(Array.from({ length: 100 }, (_, n) => api.post(LEADS, parts[n % 2])));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(99);
    const { rows } = await app.sql.query('SELECT submission_count FROM leads WHERE organization_id = $1 AND email_normalized = $2', [
      space.organizationId,
      body.email,
    ]);
    expect(rows).toEqual([{ submission_count: 100 }]);
    expect(responses.map(({ body: { lead } }) => lead.submission_count).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 100 }, (_, n) => n + 1),
    );
  });

  it('submissions with crossed values never deadlock', async () => {
    const names = Array.from({ length: 6 }, (_, n) => `cross-${n}`);
    const responses = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        api.post(LEADS, {
          full_name: 'Cross',
          external_id: names[n % 6],
          email: `${names[(n * 5 + 1) % 6]}@example.com`,
          phone: `+4915200000${10 + ((n * 7 + 2) % 6)}`,
          update_if_exists: n % 3 === 0,
        }),
      ),
    );
    expect(responses.filter(({ status }) => status >= 300).map(({ text }) => text)).toEqual([]);
    const { rows } = await app.sql.query(
      `SELECT sum(submission_count)::int AS sum FROM leads WHERE project_id = $1 AND full_name = 'Cross'`,
      [space.eng.id],
    );
    expect(rows[0].sum).toBe(60);
  });
});

describe('consent', () => {
  const log = async (id: string) =>
    (await app.sql.query('SELECT channel, granted, source, applied FROM consent_records WHERE resource_id = $1 ORDER BY id', [id])).rows;

  it('has three values and gets the time of the server', async () => {
    const before = Date.now();
    const response = await api.post(
      LEADS,
      person({ consent_email: true, consent_sms: false, consent_source: 'Footer', consent_timestamp: '1999-01-01T00:00:00Z' }),
    );
    expect(response.headers['svc-ignored-fields']).toBe('consent_timestamp');
    const { consent } = await leadRow(app, response.body.lead.id);
    expect(consent).toEqual({
      email: { granted: true, timestamp: expect.any(String), source: 'Footer' },
      sms: { granted: false, timestamp: expect.any(String), source: 'Footer' },
      whatsapp: NEVER_ASKED,
    });
    expect(Date.parse(consent.email.timestamp)).toBeGreaterThanOrEqual(before);
    expect(await log(response.body.lead.id)).toEqual([
      { channel: 'email', granted: true, source: 'Footer', applied: true },
      { channel: 'sms', granted: false, source: 'Footer', applied: true },
    ]);
  });

  it('is logged but not applied on a match without update_if_exists, and applied with it', async () => {
    const body = person({ consent_email: true });
    const { id } = (await api.post(LEADS, body)).body.lead;
    const rejected = await api.post(LEADS, { ...body, consent_email: false });
    expect(rejected.body.warnings).toEqual([{ code: 'consent_not_applied', message: expect.stringContaining('update_if_exists') }]);
    expect((await leadRow(app, id)).consent.email.granted).toBe(true);
    const updated = await api.post(LEADS, { ...body, consent_email: false, update_if_exists: true });
    expect(updated.body).toMatchObject({ warnings: [], changed_fields: ['consent_email'] });
    expect((await leadRow(app, id)).consent.email.granted).toBe(false);
    expect((await log(id)).map(({ granted, applied }) => [granted, applied])).toEqual([
      [true, true],
      [false, false],
      [false, true],
    ]);
  });
});
