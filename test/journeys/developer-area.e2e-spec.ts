import { beforeAll, describe, expect, test } from '@jest/globals';
import type { LeadsService } from '../../src/modules/crm/crm.public.js';
import type { RequestLog } from '../../src/platform/request-log/request-log.js';
import type { Client } from '../harness/client.js';
import { exampleFaults } from '../harness/event-document.js';
import { sharedApp } from '../harness/hosted-app.js';
import { WorkflowFixture } from '../../src/modules/documents/testing/workflow-fixture.js';

const DEVELOPER_AREA = '/api/v1/org/developer';
const app = await sharedApp();
let workflow: WorkflowFixture;
let developer: Client;
let owner: Client;

beforeAll(async () => {
  workflow = await WorkflowFixture.open(app);
  const { space } = workflow;
  owner = workflow.screen;
  developer = await space.signIn((await space.member('developer')).email);
  const approver = await space.member('member');
  const project_id = space.eng.id;
  const id = await workflow.submitted((await workflow.approvedBy([approver])).code);
  // who decides in another's name tells them by mail; the mail that asks for a decision has a personal link, which nobody else may read
  await workflow.decide(id, 'APPROVE', approver);
  await app
    .service<LeadsService>('LeadsService')
    .create(space.ctx(), { project_id, full_name: 'Private Person', email: 'private@person.example' });
  const contacts = (await space.key({ module: 'crm' })).client;
  expect((await contacts.post('/api/v1/ext/crm/contacts', { project_id, full_name: 'Private Contact' })).status).toBe(201);
  const tasks = (await space.key({ module: 'tasks' })).client;
  expect((await tasks.post('/api/v1/ext/tasks/tasks', { project_id, title: 'A task' })).status).toBe(201);
});

interface Shown {
  id: string;
  type: string;
  data: object | null;
  required_permission: string | null;
}

describe('an event', () => {
  test.each([
    ['paper.created', 'papers.document.view'],
    ['paper.state_changed', 'papers.document.view'],
    ['lead.created', 'org.marketing.leads.manage'],
    ['contact.created', 'crm.contact.view'],
    ['task.created', null],
  ])('%s is read with the permission %s', async (type, permission) => {
    const list = async (client: Client) => (await client.get(`${DEVELOPER_AREA}/events?type=${type}`)).body.data as Shown[];
    const [[whole], [shown]] = [await list(owner), await list(developer)];
    expect(whole).toMatchObject({ type, data: { object: expect.any(Object) }, required_permission: null });
    expect([shown.id, shown.data, shown.required_permission]).toEqual([whole.id, permission === null ? whole.data : null, permission]);
    const one = await developer.get(`${DEVELOPER_AREA}/events/${shown.id}`);
    expect([one.status, one.body]).toEqual([200, shown]);
  });

  test('of each type has an example that matches its schema', async () => {
    const { body } = await owner.get(`${DEVELOPER_AREA}/event-types`);
    const examples = new Map(
      (body.data as { type: string; example_body: unknown }[]).map(({ type, example_body }) => [type, example_body]),
    );
    expect(examples.size).toBeGreaterThan(20);
    expect(await exampleFaults(app.url, examples)).toEqual([]);
  });

  test('leaves no other way to its content', async () => {
    const { text } = await developer.get(`${DEVELOPER_AREA}/events?limit=100`);
    expect(text).toContain('A task');
    expect(text).not.toMatch(/Private|private@|Acme|data_values/);
  });
});

describe('an id', () => {
  test('leads to what it belongs to, as far as the role may see it', async () => {
    const { space } = workflow;
    const { id: keyId, client } = await space.key({ module: 'tasks' });
    const made = await client.post('/api/v1/ext/tasks/tasks', { project_id: space.eng.id, title: 'Found' });
    const requestId = made.headers['request-id'] as string;
    await app.service<RequestLog>('RequestLog').flush();
    const find = async (q: string, by = owner) =>
      ((await by.get(`${DEVELOPER_AREA}/find?q=${q}`)).body.results as { kind: string; id: string; title: string }[]).map(
        ({ kind, id, title }) => [kind, id, title],
      );
    const [[, logId]] = await find(requestId);
    const request = ['request', logId, 'POST /api/v1/ext/tasks/tasks'];
    expect([await find(requestId), await find(logId)]).toEqual([[request], [request]]);
    const { body: events } = await owner.get(`${DEVELOPER_AREA}/events?request_id=${requestId}`);
    const eventId = events.data[0].id as string;
    expect(await find(eventId.toUpperCase())).toEqual([['event', eventId, 'task.created']]);
    const { body: key } = await owner.get(`${DEVELOPER_AREA}/api-keys/${keyId}`);
    expect([await find(key.last_four as string), await find(keyId)]).toEqual(Array(2).fill([['api_key', keyId, key.name]]));
    const member = await space.signIn((await space.member('member')).email);
    const other = await (await app.workspace()).signIn();
    for (const q of [requestId, logId, eventId, keyId, key.last_four as string])
      expect([q, await find(q, member), await find(q, other)]).toEqual([q, [], []]);
    expect(await find('nothing')).toEqual([]);
  });
});

describe('a mail that is held', () => {
  test('is read with the permission that its content needs', async () => {
    const path = `${DEVELOPER_AREA}/mail-outbox`;
    const mails = (await owner.get(path)).body.data as { id: string; status: string; recipient: string; text: string | null }[];
    const whole = mails.find(({ text }) => text !== null) as (typeof mails)[number];
    expect(whole).toMatchObject({ status: 'held', text: expect.stringContaining('Agreement'), required_permission: null });
    const { body } = await developer.get(`${path}/${whole.id}`);
    const hidden = { recipient: null, reply_to: null, subject: null, text: null, html: null, calendar: null };
    expect(body).toEqual({ ...whole, ...hidden, required_permission: 'papers.document.view' });
    expect((await developer.get(path)).body.data).toContainEqual(body);
    const to = `${path}?recipient=${whole.recipient}`;
    expect([(await developer.get(to)).body.data, (await owner.get(to)).body.data]).toEqual([[], [whole]]);
  });
});
