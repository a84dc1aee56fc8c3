import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Client } from '../../../test/kit/client.js';
import { sharedApp } from '../../../test/kit/hosted-app.js';
import type { Workspace } from '../../../test/kit/workspace.js';
import type { LeadsService, LeadInput } from './crm.public.js';

const AT = '/api/v1/ext/crm';
const NOBODY = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60';

const app = await sharedApp();
let space: Workspace;
let api: Client;

beforeEach(async () => {
  space = await app.workspace();
  api = (await space.key({ module: 'crm', project_id: space.eng.id })).client;
});

function lead(input: LeadInput = {}) {
  return app
    .service<LeadsService>('LeadsService')
    .create(space.ctx(), { project_id: space.eng.id, full_name: 'Ada Lovelace', email: 'Ada@Example.com', ...input });
}

async function events(): Promise<
  { type: string; data: { object: Record<string, unknown>; previous_attributes: object; context: object } }[]
> {
  const { rows } = await app.sql.query<{ body: string }>('SELECT body FROM outbox_events WHERE organization_id = $1 ORDER BY sequence', [
    space.organizationId,
  ]);
  return rows.map(({ body }) => JSON.parse(body));
}

describe('lookups', () => {
  it('a new project has a pipeline of each kind, statuses and sources', async () => {
    const pipelines = (await api.get(`${AT}/pipelines`)).body.data;
    expect(pipelines.map(({ kind, name, is_default }: Record<string, unknown>) => [kind, name, is_default])).toEqual([
      ['lead', 'Leads', true],
      ['deal', 'Sales', true],
    ]);
    const names = async (path: string) => (await api.get(`${AT}/${path}`)).body.data.map(({ name }: { name: string }) => name);
    expect(await names(`pipelines/${pipelines[1].id}/stages`)).toEqual(['Qualification', 'Proposal', 'Negotiation', 'Won', 'Lost']);
    expect(await names('lead-statuses')).toEqual(['New', 'Contacted', 'Qualified', 'Unqualified']);
    expect(await names(`lead-statuses?pipeline_id=${pipelines[0].id}`)).toEqual(['New', 'Contacted', 'Qualified', 'Unqualified']);
    expect(await names('lead-sources')).toEqual(['Website', 'Referral', 'Event', 'Advertisement']);
    expect((await api.get(`${AT}/custom-fields?resource=lead`)).body.data).toEqual([]);
    expect((await api.get(`${AT}/members`)).body.data.map(({ id }: { id: string }) => id)).toEqual([space.owner.id]);
    expect((await api.get(`${AT}/lead-statuses?pipeline_id=${pipelines[1].id}`)).body.error).toMatchObject({
      code: 'validation_failed',
      param: 'pipeline_id',
    });
    expect((await api.get(`${AT}/pipelines/${NOBODY}/stages`)).status).toBe(404);
  });
});

describe('a lead', () => {
  it('starts in the first status of the default pipeline, with a derived name, normalized addresses and no score', async () => {
    const created = await lead({ phone: '+49 30 901820', external_id: ' X-1 ' });
    const answer = await api.get(`${AT}/leads/${created.id}`);
    expect(answer.headers.etag).toBe('"1"');
    expect(answer.body).toMatchObject({
      object: 'lead',
      full_name: 'Ada Lovelace',
      first_name: 'Ada',
      last_name: 'Lovelace',
      email: 'Ada@Example.com',
      phone: '+49 30 901820',
      phone_normalized: '+4930901820',
      external_id: 'X-1',
      status_kind: 'open',
      owner_id: null,
      source_id: null,
      custom_fields: {},
      submission_count: 1,
      score: 0,
      converted_at: null,
      consent: { email: { granted: null, timestamp: null, source: null } },
    });
    const [first] = (await api.get(`${AT}/lead-statuses`)).body.data;
    expect(answer.body.status_id).toBe(first.id);
    expect((await api.get(`${AT}/leads?email=ADA@example.com`)).body.data.map(({ id }: { id: string }) => id)).toEqual([created.id]);
    expect((await api.get(`${AT}/leads?q=love&converted=false&owner_id=none`)).body.data).toHaveLength(1);
  });

  it('needs a name and an address', async () => {
    await expect(lead({ full_name: undefined, first_name: 'Ada' })).rejects.toMatchObject({
      spec: { code: 'missing_fields' },
      occurrence: { param: 'full_name' },
    });
    await expect(lead({ email: undefined })).rejects.toMatchObject({ spec: { code: 'missing_fields' }, occurrence: { param: 'email' } });
    const { id } = await lead();
    expect((await api.patch(`${AT}/leads/${id}`, { email: null })).body.error).toMatchObject({ code: 'validation_failed', param: 'email' });
  });

  it('stays in its pipeline unless it is moved to another one', async () => {
    const { id } = await lead();
    const pipelines = (await api.get(`${AT}/pipelines`)).body.data;
    const [qualification] = (await api.get(`${AT}/pipelines/${pipelines[1].id}/stages`)).body.data;
    const statuses = (await api.get(`${AT}/lead-statuses`)).body.data;
    const refused = (await api.patch(`${AT}/leads/${id}`, { status_id: qualification.id })).body.error;
    expect(refused).toMatchObject({
      code: 'validation_failed',
      param: 'status_id',
      allowed: statuses.map((status: { id: string }) => status.id),
    });
    expect((await api.patch(`${AT}/leads/${id}`, { pipeline_id: pipelines[1].id })).body.error).toMatchObject({
      code: 'validation_failed',
      param: 'pipeline_id',
    });
    expect((await api.patch(`${AT}/leads/${id}`, { status_id: statuses[2].id })).body).toMatchObject({
      status_id: statuses[2].id,
      status_kind: 'won',
      version: 2,
    });
    // naming the current pipeline moves nothing
    expect((await api.patch(`${AT}/leads/${id}`, { pipeline_id: pipelines[0].id })).body).toMatchObject({
      status_id: statuses[2].id,
      version: 2,
    });
    await expect(app.sql.query('UPDATE leads SET status_id = $2 WHERE id = $1', [id, qualification.id])).rejects.toThrow(
      'leads_status_id_fkey',
    );
    await expect(app.sql.query(`UPDATE leads SET status_kind = 'open' WHERE id = $1`, [id])).rejects.toThrow('leads_status_id_fkey');
  });

  it('can only be owned by active members', async () => {
    const { id } = await lead({ owner_id: space.owner.id });
    const retired = await space.member('member');
    await app.sql.query(`UPDATE members SET status = 'inactive' WHERE id = $1`, [retired.id]);
    for (const owner_id of [retired.id, NOBODY])
      expect((await api.patch(`${AT}/leads/${id}`, { owner_id })).body.error).toMatchObject({
        code: 'validation_failed',
        param: 'owner_id',
      });
    expect((await api.patch(`${AT}/leads/${id}`, { source_id: NOBODY })).body.error).toMatchObject({
      code: 'validation_failed',
      param: 'source_id',
    });
    expect((await api.patch(`${AT}/leads/${id}`, { owner_id: null })).body.owner_id).toBeNull();
  });

  it('rejected by the database at commit is rejected again with the same Idempotency-Key', async () => {
    const client = await space.signIn();
    const headers = { 'idempotency-key': 'unknown-owner' };
    const send = (full_name: string) =>
      client.post(
        '/api/v1/org/marketing/leads',
        { project_id: space.eng.id, full_name, email: 'commit@example.com', owner_id: NOBODY },
        headers,
      );
    const [first, again, other] = [await send('Ada'), await send('Ada'), await send('Grace')];
    expect([first.status, first.body.error.param, first.headers['idempotent-replayed']]).toEqual([400, 'owner_id', undefined]);
    expect([again.status, again.body, again.headers['idempotent-replayed']]).toEqual([400, first.body, 'true']);
    expect([other.status, other.body.error.code]).toEqual([422, 'idempotency_key_reused']);
    expect((await app.sql.query(`SELECT 1 FROM leads WHERE email_normalized = 'commit@example.com'`)).rows).toEqual([]);
    expect(await events()).toEqual([]);
  });

  it('derives one form of the name from the other', async () => {
    const { id } = await lead();
    expect((await api.patch(`${AT}/leads/${id}`, { first_name: 'Augusta' })).body).toMatchObject({
      full_name: 'Augusta Lovelace',
      first_name: 'Augusta',
    });
    expect((await api.patch(`${AT}/leads/${id}`, { full_name: 'Grace Brewster Hopper' })).body).toMatchObject({
      first_name: 'Grace Brewster',
      last_name: 'Hopper',
    });
  });

  it('emits one event per change, with the previous attributes', async () => {
    const { id } = await lead();
    const statuses = (await api.get(`${AT}/lead-statuses`)).body.data;
    await api.patch(`${AT}/leads/${id}`, { job_title: 'Analyst' });
    await api.patch(`${AT}/leads/${id}`, { job_title: 'Analyst' });
    await api.patch(`${AT}/leads/${id}`, { status_id: statuses[1].id, job_title: null });
    const written = await events();
    expect(written.map(({ type }) => type)).toEqual(['lead.created', 'lead.updated', 'lead.status_changed']);
    expect(written[1].data.previous_attributes).toEqual({ job_title: null });
    expect(written[2].data.context).toEqual({ from: { id: statuses[0].id, kind: 'open' }, to: { id: statuses[1].id, kind: 'open' } });
  });
});

describe('consent', () => {
  it('has three values, gets the time of the server and is logged, even when it does not change', async () => {
    const { id } = await lead({ consent_email: true, consent_sms: false, consent_source: 'Form' });
    const before = (await api.get(`${AT}/leads/${id}`)).body.consent;
    expect(before).toEqual({
      email: { granted: true, timestamp: expect.any(String), source: 'Form' },
      sms: { granted: false, timestamp: expect.any(String), source: 'Form' },
      whatsapp: { granted: null, timestamp: null, source: null },
    });
    const changed = await api.patch(`${AT}/leads/${id}`, {
      consent_email: false,
      consent_source: 'Phone',
      consent_timestamp: '2020-01-01T00:00:00Z',
    });
    expect(changed.headers['svc-ignored-fields']).toBe('consent_timestamp');
    expect(changed.body.consent).toMatchObject({ email: { granted: false, source: 'Phone' }, sms: before.sms });
    expect(Date.parse(changed.body.consent.email.timestamp)).toBeGreaterThan(Date.now() - 60_000);
    expect((await api.patch(`${AT}/leads/${id}`, { consent_email: 'yes' })).body.error).toMatchObject({
      code: 'validation_failed',
      param: 'consent_email',
    });
    // a source without a flag has no effect
    expect((await api.patch(`${AT}/leads/${id}`, { consent_source: 'Nowhere' })).body.version).toBe(2);
    const screen = await space.signIn();
    const log = (await screen.get(`/api/v1/org/marketing/leads/${id}/consent-records`)).body.data;
    expect(log.map(({ channel, granted, source, applied }: Record<string, unknown>) => [channel, granted, source, applied])).toEqual([
      ['email', true, 'Form', true],
      ['sms', false, 'Form', true],
      ['email', false, 'Phone', true],
    ]);
    await expect(app.sql.query('UPDATE consent_records SET granted = true WHERE resource_id = $1', [id])).rejects.toThrow('append-only');
    await expect(app.sql.query('DELETE FROM consent_records WHERE resource_id = $1', [id])).rejects.toThrow('append-only');
    expect((await screen.delete(`/api/v1/org/marketing/leads/${id}`)).status).toBe(204);
    expect((await screen.get(`/api/v1/org/marketing/leads/${id}/consent-records`)).body.data).toHaveLength(3);
  });
});

describe('custom fields', () => {
  const define = async (over: object) => {
    const screen = await space.signIn();
    const answer = await screen.post('/api/v1/org/crm/custom-fields', {
      project_id: space.eng.id,
      resource: 'lead',
      key: 'budget',
      label: 'Budget',
      type: 'number',
      ...over,
    });
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.body;
  };

  it('accept only defined keys and are merged', async () => {
    await define({});
    await define({ key: 'size', label: 'Size', type: 'select', options: ['small', 'large'] });
    const { id } = await lead({ custom_fields: { budget: 5 } });
    const patch = async (custom_fields: unknown) => (await api.patch(`${AT}/leads/${id}`, { custom_fields })).body;
    expect((await patch('{"budget":1}')).error).toMatchObject({
      code: 'validation_failed',
      param: 'custom_fields',
      message: 'custom_fields must be a JSON object',
    });
    expect((await patch({ x: 1 })).error).toMatchObject({
      code: 'validation_failed',
      param: 'custom_fields.x',
      message: 'unknown custom field: x',
      allowed: ['budget', 'size'],
    });
    expect((await patch({ budget: '5' })).error).toMatchObject({
      param: 'custom_fields.budget',
      message: 'custom_fields.budget must be a number',
    });
    expect((await patch({ size: 'huge' })).error).toMatchObject({ param: 'custom_fields.size', allowed: ['small', 'large'] });
    expect((await patch({ size: 'large' })).custom_fields).toEqual({ budget: 5, size: 'large' });
    expect((await patch({ budget: null })).custom_fields).toEqual({ size: 'large' });
    expect(
      (await api.get(`${AT}/custom-fields?resource=lead`)).body.data.map(({ key, module }: Record<string, string>) => `${module} ${key}`),
    ).toEqual(['crm budget', 'crm size']);
  });

  it('that are required must be set on creation and cannot be cleared', async () => {
    await define({ required: true });
    await expect(lead()).rejects.toMatchObject({ spec: { code: 'missing_fields' }, occurrence: { param: 'custom_fields.budget' } });
    const { id } = await lead({ custom_fields: { budget: 1 } });
    expect((await api.patch(`${AT}/leads/${id}`, { custom_fields: { budget: null } })).status).toBe(400);
    expect((await api.patch(`${AT}/leads/${id}`, { job_title: 'x' })).status).toBe(200);
  });

  it('have validated definitions', async () => {
    await define({});
    const screen = await space.signIn();
    const post = async (over: object) =>
      (
        await screen.post('/api/v1/org/crm/custom-fields', {
          project_id: space.eng.id,
          resource: 'lead',
          key: 'other',
          label: 'Other',
          type: 'text',
          ...over,
        })
      ).body.error;
    expect(await post({ key: 'budget' })).toMatchObject({ code: 'duplicate', param: 'key' });
    expect(await post({ type: 'select' })).toMatchObject({ param: 'options' });
    expect(await post({ options: ['a'] })).toMatchObject({ param: 'options' });
    expect(await post({ key: 'Not a key' })).toMatchObject({ param: 'key' });
  });
});

describe('conversion', () => {
  it('creates a contact and a deal, only once', async () => {
    const { id } = await lead({ owner_id: space.owner.id, consent_email: true });
    const answer = await api.post(`${AT}/leads/${id}/convert`, { deal: { title: 'Licence', amount: 1_250_000, currency: 'EUR' } });
    expect(answer.status).toBe(200);
    const { lead: converted, contact, deal } = answer.body;
    expect(converted).toMatchObject({ converted_contact_id: contact.id, converted_deal_id: deal.id, status_kind: 'won', version: 2 });
    expect(contact).toMatchObject({
      full_name: 'Ada Lovelace',
      email: 'Ada@Example.com',
      owner_id: space.owner.id,
      consent: converted.consent,
    });
    expect(deal).toMatchObject({
      title: 'Licence',
      amount: 1_250_000,
      currency: 'EUR',
      contact_ids: [contact.id],
      owner_id: space.owner.id,
      status: 'open',
    });
    const again = await api.post(`${AT}/leads/${id}/convert`, {});
    expect([again.status, again.body.error.code]).toEqual([409, 'duplicate']);
    expect((await api.get(`${AT}/leads?converted=true`)).body.data).toHaveLength(1);
    expect((await events()).map(({ type }) => type)).toEqual(['lead.created', 'contact.created', 'deal.created', 'lead.converted']);
    await expect(app.sql.query('UPDATE leads SET converted_at = now() WHERE id = $1', [id])).rejects.toThrow('converted already');
    await expect(
      app.sql.query('UPDATE leads SET converted_at = NULL, converted_contact_id = NULL, converted_deal_id = NULL WHERE id = $1', [id]),
    ).rejects.toThrow('converted already');
  });

  it('accepts an existing contact of the same project', async () => {
    const { id } = await lead();
    const all = (await space.key({ module: 'crm' })).client;
    const elsewhere = (await all.post(`${AT}/contacts`, { project_id: space.ops.id, full_name: 'Grace Hopper' })).body;
    expect((await api.post(`${AT}/leads/${id}/convert`, { contact_id: elsewhere.id })).body.error).toMatchObject({ param: 'contact_id' });
    const contact = (await api.post(`${AT}/contacts`, { full_name: 'Grace Hopper' })).body;
    expect((await api.post(`${AT}/leads/${id}/convert`, { contact_id: contact.id })).body).toMatchObject({
      contact: { id: contact.id, version: 1 },
      deal: null,
    });
  });

  it('creates one contact in ten concurrent requests', async () => {
    const { id } = await lead();
    const answers = await Promise.all(Array.from({ length: 10 }, () => api.post(`${AT}/leads/${id}/convert`, {})));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(409)]);
    expect((await api.get(`${AT}/contacts?include_total=true`)).body.total_count).toBe(1);
  });

  it('opens a deal only for keys with the scope for deals', async () => {
    const { id } = await lead();
    const { client } = await space.key({ module: 'crm', project_id: space.eng.id, scopes: ['crm:lead:write'] });
    expect((await client.post(`${AT}/leads/${id}/convert`, { deal: { title: 'x', currency: 'EUR' } })).body.error).toMatchObject({
      code: 'insufficient_scope',
      required_scope: 'crm:deal:write',
    });
    expect((await client.post(`${AT}/leads/${id}/convert`, {})).status).toBe(200);
  });
});

describe('a deal', () => {
  const create = async (over: object = {}) => {
    const answer = await api.post(`${AT}/deals`, { title: 'Licence', amount: 100, currency: 'EUR', ...over });
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.body;
  };
  const patch = async (id: string, body: object) => (await api.patch(`${AT}/deals/${id}`, body)).body;
  const stagesByName = async () => {
    const [, sales] = (await api.get(`${AT}/pipelines`)).body.data;
    const { data } = (await api.get(`${AT}/pipelines/${sales.id}/stages`)).body;
    return Object.fromEntries(data.map((stage: { name: string; id: string }) => [stage.name, stage.id])) as Record<string, string>;
  };

  it('keeps stage, status and closed_at consistent', async () => {
    const stages = await stagesByName();
    const deal = await create();
    expect(deal).toMatchObject({
      object: 'deal',
      stage_id: stages.Qualification,
      status: 'open',
      closed_at: null,
      contact_ids: [],
      lost_reason: null,
    });
    const won = await patch(deal.id, { stage_id: stages.Won });
    expect(won).toMatchObject({ status: 'won', closed_at: expect.any(String) });
    expect(await patch(deal.id, { status: 'open' })).toMatchObject({ stage_id: stages.Qualification, closed_at: null });
    expect(await patch(deal.id, { status: 'lost', lost_reason: 'Price' })).toMatchObject({
      stage_id: stages.Lost,
      lost_reason: 'Price',
      closed_at: expect.any(String),
    });
    expect(await patch(deal.id, { stage_id: stages.Proposal })).toMatchObject({ status: 'open', lost_reason: null, closed_at: null });
    expect((await patch(deal.id, { lost_reason: 'Price' })).error).toMatchObject({ param: 'lost_reason' });
    expect((await patch(deal.id, { stage_id: stages.Won, status: 'lost' })).error).toMatchObject({ param: 'status', allowed: ['won'] });
    const [status] = (await api.get(`${AT}/lead-statuses`)).body.data;
    expect((await patch(deal.id, { stage_id: status.id })).error).toMatchObject({ code: 'validation_failed', param: 'stage_id' });
    const set = (sql: string) => app.sql.query(`UPDATE deals SET ${sql} WHERE id = $1`, [deal.id]);
    await expect(set(`status = 'won', closed_at = now()`)).rejects.toThrow('deals_stage_id_fkey');
    await expect(set(`stage_id = '${status.id}'`)).rejects.toThrow('deals_stage_id_fkey');
    await expect(set('closed_at = now()')).rejects.toThrow('deals_closed_at_check');
    await expect(set(`lost_reason = 'x'`)).rejects.toThrow('deals_lost_reason_check');
    await expect(set('amount = -1')).rejects.toThrow('deals_amount_check');
    await expect(set('contact_ids = ARRAY[id]')).rejects.toThrow('unknown contact');
    await expect(set('owner_id = id')).rejects.toThrow('unknown owner');
  });

  it('accepts whole minor units of a known currency', async () => {
    expect((await create({ amount: Number.MAX_SAFE_INTEGER })).amount).toBe(Number.MAX_SAFE_INTEGER);
    for (const [body, param] of [
      [{ amount: 1.5 }, 'amount'],
      [{ amount: -1 }, 'amount'],
      [{ currency: 'XYZ' }, 'currency'],
      [{ currency: 'eur' }, 'currency'],
      [{ contact_ids: [NOBODY] }, 'contact_ids'],
    ] as const) {
      expect((await api.post(`${AT}/deals`, { title: 'x', currency: 'EUR', ...body })).body.error).toMatchObject({
        code: 'validation_failed',
        param,
      });
    }
    expect((await api.post(`${AT}/deals`, { title: 'x' })).body.error).toMatchObject({ code: 'missing_fields', param: 'currency' });
  });

  it('emits the internal deal.won once per win, with its contacts', async () => {
    const wins = async () =>
      (
        await app.sql.query(`SELECT internal, body FROM outbox_events WHERE organization_id = $1 AND type = 'deal.won' ORDER BY sequence`, [
          space.organizationId,
        ])
      ).rows;
    const { id } = await create();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => api.patch(`${AT}/deals/${id}`, { status: 'won', title: `Licence ${n}` })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await wins()).map(({ internal }) => internal)).toEqual([true]);
    expect(JSON.parse((await wins())[0].body).data.object).toMatchObject({
      object: 'deal',
      id,
      status: 'won',
      amount: 100,
      currency: 'EUR',
    });
    await patch(id, { status: 'open' });
    await patch(id, { status: 'won' });
    expect(await wins()).toHaveLength(2);
    const [ada, bob] = [
      (await api.post(`${AT}/contacts`, { full_name: 'Ada Lovelace', company_name: 'Acme', email: 'ada@acme.example' })).body,
      (await api.post(`${AT}/contacts`, { full_name: 'Bob Ray' })).body,
    ];
    await create({ status: 'won', contact_ids: [bob.id, ada.id] });
    expect(await wins()).toHaveLength(3);
    expect(JSON.parse((await wins())[2].body).data.object.contacts).toMatchObject([
      { id: bob.id, full_name: 'Bob Ray', email: null },
      { id: ada.id, company_name: 'Acme', email: 'ada@acme.example' },
    ]);
    expect((await events()).map(({ type }) => type)).toEqual(
      expect.arrayContaining(['deal.created', 'deal.stage_changed', 'deal.updated']),
    );
  });

  it('is listed by amount, day and contact', async () => {
    const contact = (await api.post(`${AT}/contacts`, { first_name: 'Ada', last_name: 'Lovelace' })).body;
    const a = await create({ amount: 300, expected_close_on: '2026-12-01' });
    const b = await create({ amount: 100, contact_ids: [contact.id] });
    const c = await create({ amount: 200, expected_close_on: '2026-11-30' });
    const ids = async (query: string) => (await api.get(`${AT}/deals?${query}`)).body.data.map(({ id }: { id: string }) => id);
    expect(await ids('sort=amount')).toEqual([b.id, c.id, a.id]);
    expect(await ids('sort=expected_close_on')).toEqual([c.id, a.id, b.id]);
    expect(await ids('sort=-expected_close_on')).toEqual([a.id, c.id, b.id]);
    expect(await ids(`contact_id=${contact.id}`)).toEqual([b.id]);
    expect(await ids('expected_close_before=2026-12-01')).toEqual([c.id]);
    const first = (await api.get(`${AT}/deals?sort=amount&limit=2`)).body;
    expect(await ids(`sort=amount&limit=2&cursor=${first.next_cursor}`)).toEqual([a.id]);
  });
});
