import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Client } from '../../../../test/harness/client.js';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import { eventsOf } from '../../../../test/harness/outbox.js';
import type { Workspace } from '../../../../test/harness/workspace.js';
import type { LeadsService, LeadInput } from '../crm.public.js';

const AT = '/api/v1/ext/crm';
const UNKNOWN_ID = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60';

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

const events = () => eventsOf(app, space);

describe('a lead', () => {
  it('starts in the first status of the default pipeline, with a derived name, normalized addresses and no score', async () => {
    const created = await lead({ phone: '+49 30 901820', external_id: ' X-1 ' });
    const response = await api.get(`${AT}/leads/${created.id}`);
    expect(response.headers.etag).toBe('"1"');
    expect(response.body).toMatchObject({
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
    expect(response.body.status_id).toBe(first.id);
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
    const rejected = (await api.patch(`${AT}/leads/${id}`, { status_id: qualification.id })).body.error;
    expect(rejected).toMatchObject({
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
    for (const owner_id of [retired.id, UNKNOWN_ID])
      expect((await api.patch(`${AT}/leads/${id}`, { owner_id })).body.error).toMatchObject({
        code: 'validation_failed',
        param: 'owner_id',
      });
    expect((await api.patch(`${AT}/leads/${id}`, { source_id: UNKNOWN_ID })).body.error).toMatchObject({
      code: 'validation_failed',
      param: 'source_id',
    });
    expect((await api.patch(`${AT}/leads/${id}`, { owner_id: null })).body.owner_id).toBeNull();
  });

  it('rejected by the database at commit does not use up the Idempotency-Key', async () => {
    const client = await space.signIn();
    const headers = { 'idempotency-key': 'unknown-owner' };
    const send = (owner_id: string) =>
      client.post(
        '/api/v1/org/marketing/leads',
        { project_id: space.eng.id, full_name: 'Ada', email: 'commit@example.com', owner_id },
        headers,
      );
    for (const rejected of [await send(UNKNOWN_ID), await send(UNKNOWN_ID)])
      expect([rejected.status, rejected.body.error.param, rejected.headers['idempotent-replayed']]).toEqual([400, 'owner_id', undefined]);
    expect((await app.sql.query(`SELECT 1 FROM leads WHERE email_normalized = 'commit@example.com'`)).rows).toEqual([]);
    expect(await events()).toEqual([]);
    expect((await send(space.owner.id)).status).toBe(201);
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

describe('conversion', () => {
  it('creates a contact and a deal, only once', async () => {
    const { id } = await lead({ owner_id: space.owner.id, consent_email: true });
    const response = await api.post(`${AT}/leads/${id}/convert`, { deal: { title: 'Licence', amount: 1_250_000, currency: 'EUR' } });
    expect(response.status).toBe(200);
    const { lead: converted, contact, deal } = response.body;
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
    const responses = await Promise.all(Array.from({ length: 10 }, () => api.post(`${AT}/leads/${id}/convert`, {})));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(409)]);
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
