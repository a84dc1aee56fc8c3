import { describe, expect, test } from '@jest/globals';
import type { Client } from '../../../test/harness/client.js';
import { sharedApp } from '../../../test/harness/hosted-app.js';
import type { Mode } from '../../kit/index.js';
import type { KeptBodies } from './kept-bodies.js';
import { MASK } from './mask-text.js';
import type { RequestLog } from './request-log.js';

const LOGS = '/api/v1/org/developer/logs';
const CONTACTS = '/api/v1/ext/crm/contacts';
const PERSON = { full_name: 'Ada Lovelace', email: 'ada@example.com', job_title: 'Countess, call +44 20 7946 0958' };

const app = await sharedApp();
const acme = await app.workspace();
const owner = await acme.signIn();

async function bodiesOf(requestId: string, client: Client = owner) {
  await app.service<RequestLog>('RequestLog').flush();
  await app.service<KeptBodies>('KeptBodies').flush();
  const { data } = (await owner.get(`${LOGS}?request_id=${requestId}`)).body as { data: { id: string }[] };
  return client.get(`${LOGS}/${data[0].id}/bodies`);
}

async function create(mode: Mode, body: object, space = acme) {
  const { client } = await space.key({ module: 'crm', mode });
  const response = await client.post(CONTACTS, body);
  return { status: response.status, body: response.body as { id: string }, requestId: response.headers['request-id'] };
}

describe('the bodies of a call', () => {
  test('with a test key are kept without what is private', async () => {
    const { status, requestId } = await create('test', { ...PERSON, project_id: acme.eng.id, surprise: 'x' });
    expect(status).toBe(201);
    const { body } = await bodiesOf(requestId);
    expect(body).toMatchObject({ object: 'request_bodies', reason: null });
    expect(JSON.parse(body.request.text as string)).toEqual({
      full_name: MASK,
      email: MASK,
      job_title: `Countess, call ${MASK}`,
      project_id: acme.eng.id,
      surprise: MASK,
    });
    const response = JSON.parse(body.response.text as string) as Record<string, unknown>;
    expect(response).toMatchObject({ object: 'contact', project_id: acme.eng.id, full_name: MASK, email: MASK });
    expect(JSON.stringify(body)).not.toMatch(/Lovelace|ada@example|7946/);
  });

  test('with a live key are kept only if it fails', async () => {
    const made = await create('live', { ...PERSON, project_id: acme.eng.id });
    expect((await bodiesOf(made.requestId)).body).toEqual({
      object: 'request_bodies',
      request: null,
      response: null,
      reason: 'live_success',
    });
    const refused = await create('live', { ...PERSON, email: 'not an address', project_id: acme.eng.id });
    expect(refused.status).toBe(400);
    const { body } = await bodiesOf(refused.requestId);
    expect(JSON.parse(body.request.text as string)).toMatchObject({ email: MASK, project_id: acme.eng.id });
    expect(JSON.parse(body.response.text as string).error).toMatchObject({ code: 'validation_failed', param: 'email' });
  });

  test('are kept as the organization chooses, from the next call on', async () => {
    const space = await app.workspace();
    const admin = await space.signIn();
    const kept = async (mode: Mode, body: object) => {
      const { client } = await space.key({ module: 'crm', mode });
      const requestId = (await client.post(CONTACTS, body)).headers['request-id'];
      await app.service<KeptBodies>('KeptBodies').flush();
      const { rows } = await app.sql.query('SELECT 1 FROM request_bodies WHERE request_id = $1', [requestId]);
      return rows.length;
    };
    const failing = { project_id: space.eng.id };
    const choose = (kept_bodies: string) => admin.patch('/api/v1/org/organization', { kept_bodies });
    expect([await kept('test', failing), await kept('live', failing)]).toEqual([1, 1]);
    expect((await choose('test')).body.kept_bodies).toBe('test');
    expect([await kept('test', failing), await kept('live', failing)]).toEqual([1, 0]);
    await choose('none');
    expect([await kept('test', failing), await kept('live', failing)]).toEqual([0, 0]);
    expect((await choose('all')).body.error.param).toBe('kept_bodies');
    const member = await space.signIn((await space.member('developer')).email);
    expect((await member.patch('/api/v1/org/organization', { kept_bodies: 'errors' })).status).toBe(403);
  });

  test('are encrypted, bound to their request, and gone after seven days', async () => {
    const [one, two] = [await create('test', { ...PERSON, project_id: acme.eng.id }), await create('test', {})];
    await bodiesOf(one.requestId);
    const { rows } = await app.sql.query<{ content: Buffer }>('SELECT content FROM request_bodies WHERE request_id = $1', [one.requestId]);
    expect(rows[0].content.toString('latin1')).not.toContain(acme.eng.id);
    const age = (days: number) =>
      app.sql.query(`UPDATE request_bodies SET created_at = now() - $2 * interval '1 day' WHERE request_id = $1`, [two.requestId, days]);
    await age(6.9);
    await app.runScheduledJob('platform.purge');
    expect((await bodiesOf(two.requestId)).body.reason).toBeNull();
    await age(7.1);
    expect((await bodiesOf(two.requestId)).body.response).toBeNull();
    await app.runScheduledJob('platform.purge');
    expect((await app.sql.query('SELECT 1 FROM request_bodies WHERE request_id = $1', [two.requestId])).rows).toEqual([]);
  });

  test('have at most 16 KiB each', async () => {
    const { client } = await acme.key({ module: 'tasks', mode: 'test' });
    const task = { project_id: acme.eng.id, title: 'Long', description: 'word '.repeat(3_900) };
    const response = await client.post('/api/v1/ext/tasks/tasks', task);
    expect(response.status).toBe(201);
    const { body } = await bodiesOf(response.headers['request-id']);
    for (const part of [body.request, body.response]) expect([part.truncated, part.text.length]).toEqual([true, 16_384]);
  });

  test('of a list has no request', async () => {
    const { client } = await acme.key({ module: 'schedule', mode: 'test' });
    const listed = await client.get('/api/v1/ext/schedule/calendars');
    const { body } = await bodiesOf(listed.headers['request-id']);
    expect([body.request, JSON.parse(body.response.text as string).object]).toEqual([null, 'list']);
  });

  test('are read with the permission for the log, in the own organization', async () => {
    const { requestId } = await create('test', { ...PERSON, project_id: acme.eng.id });
    const member = await acme.signIn((await acme.member('member')).email);
    expect((await bodiesOf(requestId, member)).body.error.required_permission).toBe('org.developer.logs.view');
    const stranger = await (await app.workspace()).signIn();
    expect((await bodiesOf(requestId, stranger)).status).toBe(404);
  });
});
