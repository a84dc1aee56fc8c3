import { beforeAll, describe, expect, test } from '@jest/globals';
import type { LeadsService } from '../../src/modules/crm/crm.public.js';
import type { Client } from '../kit/client.js';
import { sharedApp } from '../kit/hosted-app.js';
import { WorkflowFixture } from '../kit/workflow-fixture.js';

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
  await workflow.submitted((await workflow.approvedBy([approver])).code);
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

  test('of whatever type needs a permission that exists, or none', async () => {
    const host = app.inside<typeof import('../kit/event-permissions.js')>('test/kit/event-permissions.ts');
    expect(await host.eventsOfUnknownPermission()).toEqual([]);
  });

  test('leaves no other way to its content', async () => {
    const { text } = await developer.get(`${DEVELOPER_AREA}/events?limit=100`);
    expect(text).toContain('A task');
    expect(text).not.toMatch(/Private|private@|Acme|data_values/);
  });
});

describe('a mail that is held', () => {
  test('is read with the permission that its content needs', async () => {
    const path = `${DEVELOPER_AREA}/mail-outbox`;
    const [whole] = (await owner.get(path)).body.data as { id: string; status: string }[];
    expect(whole).toMatchObject({ status: 'held', text: expect.stringContaining('Agreement'), required_permission: null });
    const { body } = await developer.get(`${path}/${whole.id}`);
    expect(body).toEqual({ ...whole, subject: null, text: null, html: null, calendar: null, required_permission: 'papers.document.view' });
    expect((await developer.get(path)).body.data).toEqual([body]);
  });
});
