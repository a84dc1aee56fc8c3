import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Client } from '../../../test/harness/client.js';
import { sharedApp } from '../../../test/harness/hosted-app.js';
import { eventsOf } from '../../../test/harness/outbox.js';
import type { Workspace } from '../../../test/harness/workspace.js';
import type { LeadsService, LeadInput } from './crm.public.js';

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
    expect((await api.get(`${AT}/pipelines/${UNKNOWN_ID}/stages`)).status).toBe(404);
  });

  it('the stages of all deal pipelines are part of the context', async () => {
    const screen = await space.signIn();
    const stages = [
      { name: 'Offer', kind: 'open' },
      { name: 'Closed', kind: 'won' },
    ];
    const body = { project_id: space.eng.id, kind: 'deal', name: 'Renewals', stages };
    const { status, body: renewals } = await screen.post('/api/v1/org/crm/pipelines', body);
    expect(status).toBe(201);
    const { deal_stages, lead_statuses } = (await api.get(`${AT}/context`)).body;
    const names = ({ data }: { data: { name: string }[] }) => data.map(({ name }) => name);
    expect(names(deal_stages).sort()).toEqual(['Closed', 'Lost', 'Negotiation', 'Offer', 'Proposal', 'Qualification', 'Won']);
    expect(names(lead_statuses)).toEqual(['New', 'Contacted', 'Qualified', 'Unqualified']);
    expect(Object.keys(deal_stages.data[0])).toEqual(['id', 'project_id', 'pipeline_id', 'name', 'kind', 'position']);
    expect(names((await api.get(`${AT}/deal-stages?pipeline_id=${renewals.id}`)).body)).toEqual(['Offer', 'Closed']);
    const [{ pipeline_id }] = lead_statuses.data;
    expect((await api.get(`${AT}/deal-stages?pipeline_id=${pipeline_id}`)).body.error).toMatchObject({ param: 'pipeline_id' });
  });
});

describe('custom fields', () => {
  const define = async (over: object) => {
    const screen = await space.signIn();
    const response = await screen.post('/api/v1/org/crm/custom-fields', {
      project_id: space.eng.id,
      resource: 'lead',
      key: 'budget',
      label: 'Budget',
      type: 'number',
      ...over,
    });
    if (response.status !== 201) throw new Error(response.text);
    return response.body;
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
      message: 'custom_fields.x is not a custom field; the fields are budget, size',
      allowed: ['budget', 'size'],
    });
    expect((await patch({ budget: 'much' })).error).toMatchObject({
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

describe('a deal', () => {
  const create = async (over: object = {}) => {
    const response = await api.post(`${AT}/deals`, { title: 'Licence', amount: 100, currency: 'EUR', ...over });
    if (response.status !== 201) throw new Error(response.text);
    return response.body;
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
      [{ contact_ids: [UNKNOWN_ID] }, 'contact_ids'],
    ] as const) {
      expect((await api.post(`${AT}/deals`, { title: 'x', currency: 'EUR', ...body })).body.error).toMatchObject({
        code: 'validation_failed',
        param,
      });
    }
    expect((await api.post(`${AT}/deals`, { title: 'x' })).body.error).toMatchObject({ code: 'missing_fields', param: 'currency' });
  });

  it('shows the names of stage, owner and source when it is read or written', async () => {
    const sources = (await api.get(`${AT}/lead-sources`)).body.data as { id: string; name: string }[];
    const deal = { title: 'Named', currency: 'EUR', owner_id: space.owner.id, source_id: sources[0].id };
    const created = (await api.post(`${AT}/deals`, deal)).body;
    const { id } = created;
    const names = {
      pipeline_name: expect.any(String),
      stage_name: expect.any(String),
      owner_name: 'Olga Owner',
      source_name: sources[0].name,
    };
    const read = (await api.get(`${AT}/deals/${id}`)).body;
    expect(read).toMatchObject(names);
    expect(created).toEqual(read);
    const { body: lost } = await api.patch(`${AT}/deals/${id}`, { status: 'lost', owner_id: null });
    expect(lost).toMatchObject({ stage_name: 'Lost', owner_name: null });
    expect(lost).toEqual((await api.get(`${AT}/deals/${id}`)).body);
    await api.patch(`${AT}/deals/${id}`, { status: 'open', owner_id: space.owner.id });
    const pipelines = (await api.get(`${AT}/pipelines`)).body.data as { id: string; name: string }[];
    const pipelineName = (id: string) => pipelines.find((one) => one.id === id)?.name;
    expect(read.pipeline_name).toBe(pipelineName(read.pipeline_id));
    const stages = (await api.get(`${AT}/pipelines/${read.pipeline_id}/stages`)).body.data as { id: string; name: string }[];
    expect(read.stage_name).toBe(stages.find((stage) => stage.id === read.stage_id)?.name);
    expect((await api.get(`${AT}/deals`)).body.data[0]).toMatchObject(names);
    const added = await lead();
    expect((await api.get(`${AT}/leads`)).body.data[0]).toMatchObject({
      id: added.id,
      pipeline_name: pipelineName(added.pipeline_id),
      status_name: 'New',
      owner_name: null,
    });
    const contact = await api.post(`${AT}/contacts`, { full_name: 'Ada', owner_id: space.owner.id });
    expect(contact.body).toMatchObject({ owner_name: 'Olga Owner', source_name: null });
    expect((await api.get(`${AT}/contacts/${contact.body.id}`)).body).toEqual(contact.body);
    const named = { status_name: 'New', owner_name: 'Olga Owner', source_name: null };
    expect((await api.patch(`${AT}/leads/${added.id}`, { owner_id: space.owner.id })).body).toMatchObject(named);
    const { body: conversion } = await api.post(`${AT}/leads/${added.id}/convert`, { deal: { title: 'Opened', currency: 'EUR' } });
    expect(conversion).toMatchObject({
      lead: { status_name: 'Qualified', owner_name: 'Olga Owner' },
      contact: { owner_name: 'Olga Owner', source_name: null },
      deal: { stage_name: expect.any(String), source_name: null },
    });
  });

  it('emits the internal deal.won once per win, with its contacts', async () => {
    const wins = async () =>
      (
        await app.sql.query(`SELECT internal, body FROM outbox_events WHERE organization_id = $1 AND type = 'deal.won' ORDER BY sequence`, [
          space.organizationId,
        ])
      ).rows;
    const { id } = await create();
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, n) => api.patch(`${AT}/deals/${id}`, { status: 'won', title: `Licence ${n}` })),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
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
    expect(await create({ status: 'won', contact_ids: [bob.id, ada.id] })).toMatchObject({ contact_names: ['Bob Ray', 'Ada Lovelace'] });
    const { client: ofDeals } = await space.key({ module: 'crm', scopes: ['crm:deal:read'] });
    expect((await ofDeals.get(`${AT}/deals`)).body.data[0]).not.toHaveProperty('contact_names');
    expect(await wins()).toHaveLength(3);
    expect(JSON.parse((await wins())[2].body).data.object.contacts).toMatchObject([
      { id: bob.id, full_name: 'Bob Ray', email: null },
      { id: ada.id, company_name: 'Acme', email: 'ada@acme.example' },
    ]);
    expect((await events()).map(({ type }) => type)).toEqual(
      expect.arrayContaining(['deal.created', 'deal.stage_changed', 'deal.updated']),
    );
  });

  it('takes an amount as text, as queries do, but no other text', async () => {
    expect((await create({ amount: '360000' })).amount).toBe(360_000);
    for (const amount of ['360,000', '1e3', ' 5', '', '3.5', '-0']) {
      const { error } = (await api.post(`${AT}/deals`, { title: 'Text', currency: 'EUR', amount })).body;
      expect(error).toMatchObject({ code: 'validation_failed', param: 'amount' });
    }
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

describe('notes on a deal', () => {
  const makeDeal = async (client = api) => (await client.post(`${AT}/deals`, { title: 'License', currency: 'EUR' })).body.id as string;

  it('are added by keys and members, and listed in order with their authors', async () => {
    const id = await makeDeal();
    const screen = await space.signIn();
    const first = await api.post(`${AT}/deals/${id}/notes`, { body: 'Decides in **December**' });
    expect([first.status, first.body]).toEqual([
      201,
      expect.objectContaining({ object: 'deal_note', deal_id: id, body: 'Decides in **December**', version: 1 }),
    ]);
    await screen.post(`/api/v1/org/crm/deals/${id}/notes`, { body: 'Called' });
    const { data } = (await api.get(`${AT}/deals/${id}/notes`)).body;
    expect(data.map(({ body, author }: { body: string; author: { type: string } }) => [body, author.type])).toEqual([
      ['Decides in **December**', 'api_key'],
      ['Called', 'user'],
    ]);
    expect((await screen.get(`/api/v1/org/crm/deals/${id}/notes`)).body.data).toEqual(data);
    expect((await api.post(`${AT}/deals/${id}/notes`, { body: '' })).body.error).toMatchObject({ param: 'body' });
  });

  it('are not found beyond the project and the mode of the key, nor by members without the permission', async () => {
    const id = await makeDeal();
    const elsewhere = [{ project_id: space.ops.id }, { project_id: space.eng.id, mode: 'test' as const }];
    for (const scope of elsewhere) {
      const { client } = await space.key({ module: 'crm', ...scope });
      expect((await client.get(`${AT}/deals/${id}/notes`)).status).toBe(404);
      expect((await client.post(`${AT}/deals/${id}/notes`, { body: 'x' })).status).toBe(404);
    }
    const notesAs = async (role: string) =>
      (await (await space.signIn((await space.member(role)).email)).get(`/api/v1/org/crm/deals/${id}/notes`)).status;
    expect([await notesAs('member'), await notesAs('developer')]).toEqual([200, 403]);
  });
});
