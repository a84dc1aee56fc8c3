import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Client } from '../../../../test/harness/client.js';
import { sharedApp } from '../../../../test/harness/hosted-app.js';
import type { Workspace } from '../../../../test/harness/workspace.js';

const AT = '/api/v1/ext/crm';

const app = await sharedApp();
let space: Workspace;
let api: Client;

beforeEach(async () => {
  space = await app.workspace();
  api = (await space.key({ module: 'crm', project_id: space.eng.id })).client;
});

const create = async (over: object = {}, client = api) => {
  const response = await client.post(`${AT}/contacts`, { full_name: 'Ada Lovelace', ...over });
  if (response.status !== 201) throw new Error(response.text);
  return response.body;
};

describe('a contact', () => {
  it('needs only a name, and keeps every field that can be sent', async () => {
    expect((await api.post(`${AT}/contacts`, { email: 'ada@example.com' })).body.error).toMatchObject({
      code: 'missing_fields',
      param: 'full_name',
    });
    expect(await create()).toMatchObject({ object: 'contact', email: null, phone: null, custom_fields: {}, owner_id: null });
    const [source] = (await api.get(`${AT}/lead-sources`)).body.data;
    const sent = {
      full_name: 'Dr. Ada Lovelace',
      first_name: 'Ada',
      last_name: 'Lovelace',
      email: 'Ada@Example.com',
      phone: '+49 30 901820',
      company_name: 'Größe & Söhne 🙂',
      job_title: 'Analyst',
      source_id: source.id,
      owner_id: space.owner.id,
      external_id: 'X-1',
    };
    const contact = await create({ ...sent, consent_whatsapp: false, consent_source: 'Fair' });
    expect(contact).toMatchObject({
      ...sent,
      phone_normalized: '+4930901820',
      consent: { whatsapp: { granted: false, source: 'Fair' }, email: { granted: null } },
    });
    expect(contact).toMatchObject({ owner_name: 'Olga Owner', source_name: source.name });
    expect((await api.get(`${AT}/contacts/${contact.id}`)).body).toEqual(contact);
    for (const query of ['email=ada@EXAMPLE.com', 'q=anal', 'external_id=X-1', `owner_id=${space.owner.id}`, `source_id=${source.id}`]) {
      expect((await api.get(`${AT}/contacts?${query}`)).body.data.map(({ id }: { id: string }) => id)).toEqual([contact.id]);
    }
  });

  it('changes only the fields sent, with one event per change and every consent in the log', async () => {
    const contact = await create({ email: 'ada@example.com' });
    const changed = (await api.patch(`${AT}/contacts/${contact.id}`, { email: null, last_name: 'King', consent_email: true })).body;
    expect(changed).toMatchObject({ email: null, full_name: 'Ada King', version: 2, consent: { email: { granted: true } } });
    expect((await api.patch(`${AT}/contacts/${contact.id}`, { last_name: 'King' })).body.version).toBe(2);
    expect((await api.patch(`${AT}/contacts/${contact.id}`, { custom_fields: { x: 1 } })).body.error.message).toBe(
      'custom_fields.x is not a custom field; there are none',
    );
    const { rows } = await app.sql.query(`SELECT type FROM outbox_events WHERE organization_id = $1 ORDER BY sequence`, [
      space.organizationId,
    ]);
    expect(rows.map(({ type }) => type)).toEqual(['contact.created', 'contact.updated']);
    const log = await app.sql.query(`SELECT resource, channel, granted FROM consent_records WHERE resource_id = $1`, [contact.id]);
    expect(log.rows).toEqual([{ resource: 'contact', channel: 'email', granted: true }]);
  });

  it('cannot have a full name that is too long', async () => {
    const contact = await create();
    const parts = { first_name: 'A'.repeat(200), last_name: 'B'.repeat(200) };
    for (const response of [await api.post(`${AT}/contacts`, parts), await api.patch(`${AT}/contacts/${contact.id}`, parts)]) {
      expect(response.body.error).toMatchObject({ code: 'validation_failed', param: 'full_name' });
    }
  });

  it('can only be in deals of its own project and mode', async () => {
    const { client: test } = await space.key({ module: 'crm', mode: 'test', project_id: space.eng.id });
    const { client: ops } = await space.key({ module: 'crm', project_id: space.ops.id });
    for (const foreign of [await create({}, test), await create({}, ops)]) {
      expect((await api.post(`${AT}/deals`, { title: 'x', currency: 'EUR', contact_ids: [foreign.id] })).body.error).toMatchObject({
        code: 'validation_failed',
        param: 'contact_ids',
      });
    }
    expect((await api.post(`${AT}/deals`, { title: 'x', currency: 'EUR', contact_ids: [(await create()).id] })).status).toBe(201);
  });
});
