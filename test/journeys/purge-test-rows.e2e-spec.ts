import { expect, test } from '@jest/globals';
import { Client } from '../harness/client.js';
import { makeType } from '../../src/modules/documents/testing/document-types.js';
import { eventually } from '../harness/eventually.js';
import { ownApp } from '../harness/hosted-app.js';
import { EXT_SCHEDULE, makeCalendar, makeResource, ORG_SCHEDULE } from '../../src/modules/schedule/testing/schedule-fixture.js';
import { party } from '../../src/modules/documents/testing/signing-fixture.js';
import type { Mode } from '../../src/kit/index.js';

const DAY_MS = 24 * 60 * 60_000;
const app = await ownApp();
const space = await app.workspace();
const { code } = await makeType(app, space.ctx(), {
  field_schema: { type: 'object', properties: { customer: { type: 'string' }, customer_email: { type: 'string' } } },
  signature_parties: [party('customer')],
});
const screen = await space.signIn();
const calendar = await makeCalendar(space);
const room = await makeResource(space, calendar.id);
const [template] = (await screen.get(`${ORG_SCHEDULE}/event-templates?calendar_id=${calendar.id}`)).body.data as { id: string }[];
await screen.patch(`${ORG_SCHEDULE}/event-templates/${template.id}`, { reminder_minutes: [60] });
const booking = { calendar_id: calendar.id, slug: 'purged-bookings', title: 'Meet', duration_minutes: [30] };
const bookingPage = await create(screen, `${ORG_SCHEDULE}/booking-pages`, booking);

const later = (days: number) => new Date(Date.now() + days * DAY_MS);

async function create(client: Client, path: string, body: object): Promise<string> {
  const response = await client.post(path, body);
  if (response.status >= 300) throw new Error(response.text);
  return response.body.id as string;
}

let scheduled = 0;

/** A series in a room with an invitee and reminders, and a booking. */
async function schedule(mode: Mode): Promise<void> {
  const { client } = await space.key({ module: 'schedule', mode });
  // the room is free only once
  const days = 10 + 3 * scheduled++;
  await create(client, `${EXT_SCHEDULE}/events`, {
    calendar_id: calendar.id,
    title: 'Review',
    resource_ids: [room.id],
    invitees: [{ email: 'ada@example.com' }],
    start_at: later(days).toISOString().slice(0, 16),
    end_at: later(days + 0.1)
      .toISOString()
      .slice(0, 16),
    recurrence: { rrule: 'FREQ=DAILY;COUNT=2' },
  });
  if (mode === 'test') return void (await create(screen, `${ORG_SCHEDULE}/booking-pages/${bookingPage}/sample-booking`, {}));
  const path = `/api/v1/public/booking/${booking.slug}`;
  const visitor = new Client(app.url);
  const [{ start_at }] = (await visitor.get(`${path}/slots`)).body.data as { start_at: string }[];
  await create(visitor, `${path}/bookings`, { start_at, name: 'Ada', email: 'ada@example.com' });
}

/** Rows of each module that refer to each other, in one mode. */
async function fill(mode: Mode): Promise<{ document: string }> {
  const owner = { mode, actor_user_id: space.owner.id };
  const [tasks, crm, papers] = await Promise.all(
    ['tasks', 'crm', 'documents'].map(async (module) => (await space.key({ module, ...owner })).client),
  );
  const project_id = space.eng.id;
  await schedule(mode);
  const parent_id = await create(tasks, '/api/v1/ext/tasks/tasks', { project_id, title: 'Parent' });
  const child = await create(tasks, '/api/v1/ext/tasks/tasks', { project_id, title: 'Child', parent_id });
  await create(tasks, `/api/v1/ext/tasks/tasks/${child}/comments`, { body: 'Done?' });
  await create(crm, '/api/v1/ext/crm/contacts', { project_id, full_name: 'Ada', email: 'ada@example.com', consent_email: true });
  const deal = await create(crm, '/api/v1/ext/crm/deals', { project_id, title: 'License', currency: 'EUR' });
  await create(crm, `/api/v1/ext/crm/deals/${deal}/notes`, { body: 'Called' });
  const data_values = { customer: 'Ada', customer_email: 'ada@example.com' };
  const document = await create(papers, '/api/v1/ext/papers/documents', { project_id, type_code: code, title: 'NDA', data_values });
  await create(papers, `/api/v1/ext/papers/documents/${document}/comments`, { body: 'Looks fine' });
  for (const lifecycle_action of ['finalize', 'send']) {
    const action = { action: 'TRANSITION', lifecycle_action, approver_email: space.owner.email };
    const moved = await papers.patch(`/api/v1/ext/papers/documents/${document}/workflow/status`, action);
    if (moved.status !== 200) throw new Error(moved.text);
    // it refers to the document
    if (lifecycle_action === 'finalize') await create(papers, `/api/v1/ext/papers/documents/${document}/replacement`, {});
  }
  await create(papers, `/api/v1/ext/papers/documents/${document}/share-link`, {});
  return { document };
}

const TABLES = [
  ...['tasks', 'task_comments', 'contacts', 'consent_records', 'deals', 'deal_notes'],
  ...['documents', 'document_comments', 'document_renditions', 'signature_parties', 'document_share_links', 'document_audit_entries'],
  ...['schedule_events', 'schedule_instances', 'schedule_occupancies', 'schedule_invitees', 'schedule_reminders', 'schedule_bookings'],
];

async function counts(mode: Mode): Promise<Record<string, number>> {
  const count = async (table: string) => {
    const { rows } = await app.sql.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM ${table} WHERE organization_id = $1 AND mode = $2`,
      [space.organizationId, mode],
    );
    return [table, rows[0].n] as const;
  };
  return Object.fromEntries(await Promise.all(TABLES.map(count)));
}

const none = Object.fromEntries(TABLES.map((table) => [table, 0]));

test('test rows are deleted 30 days after their last change, with what refers to them; live rows never', async () => {
  await fill('live');
  const { document } = await fill('test');
  const [live, tried] = [await counts('live'), await counts('test')];
  expect(Object.entries(tried).filter(([, number]) => number === 0)).toEqual([]);
  expect(live).toEqual(tried);

  await app.runScheduledJob('platform.purge_test_rows', later(29));
  expect([await counts('live'), await counts('test')]).toEqual([live, tried]);

  // a comment that was changed later keeps its document and everything of it
  await app.sql.query('UPDATE document_comments SET updated_at = $2 WHERE document_id = $1', [document, later(20)]);
  await app.runScheduledJob('platform.purge_test_rows', later(31));
  expect(await counts('test')).toEqual({
    ...none,
    documents: 1,
    document_comments: 1,
    document_renditions: tried.document_renditions,
    signature_parties: 1,
    document_share_links: 1,
    document_audit_entries: expect.any(Number),
  });

  await app.runScheduledJob('platform.purge_test_rows', later(51));
  expect([await counts('live'), await counts('test')]).toEqual([live, none]);
});

test('the test rows of one organization are erased on request; live rows and those of others never', async () => {
  await fill('live');
  await fill('test');
  const other = await app.workspace();
  const { client } = await other.key({ module: 'tasks', mode: 'test' });
  const kept = await create(client, '/api/v1/ext/tasks/tasks', { project_id: other.eng.id, title: 'Kept' });
  const live = await counts('live');
  const owner = await space.signIn();
  const { rows } = await app.sql.query<{ name: string }>('SELECT name FROM organizations WHERE id = $1', [space.organizationId]);
  const body = { organization_name: rows[0].name };
  const ERASE = '/api/v1/org/developer/test-data/erase';
  const member = await space.signIn((await space.member('member')).email);
  expect((await member.post(ERASE, body)).body.error).toMatchObject({
    code: 'permission_denied',
    required_permission: 'org.developer.testdata.erase',
  });
  expect((await owner.post(ERASE, { organization_name: 'Another' })).body.error).toMatchObject({
    code: 'validation_failed',
    param: 'organization_name',
  });
  expect((await counts('test')).tasks).toBe(2);
  const TEST_DATA = '/api/v1/org/developer/test-data';
  expect((await member.get(TEST_DATA)).status).toBe(403);
  const before = (await owner.get(TEST_DATA)).body;
  expect(before).toMatchObject({ object: 'test_data', last_erasure: null });
  const modules = before.by_module as { module: string; rows: number }[];
  expect(modules.filter(({ rows }) => rows > 0).map(({ module }) => module)).toEqual(['crm', 'documents', 'schedule', 'tasks']);
  expect(before.total).toBe(modules.reduce((sum, { rows }) => sum + rows, 0));
  const erasure = async (id: string) => (await owner.get(`${TEST_DATA}/erasures/${id}`)).body;
  // a contact that somebody is changing stays until they are done
  const writer = await app.sql.connect();
  let id: string;
  try {
    await writer.query('BEGIN');
    await writer.query(`SELECT FROM contacts WHERE organization_id = $1 AND mode = 'test' FOR UPDATE`, [space.organizationId]);
    const started = await owner.post(ERASE, body);
    expect([started.status, started.body]).toEqual([
      202,
      expect.objectContaining({ object: 'test_data_erasure', status: 'running', total: before.total, requested_by: space.owner.id }),
    ]);
    id = started.body.id as string;
    expect((await owner.post(ERASE, body)).body.id).toBe(id);
    const halfway = await eventually(
      () => erasure(id),
      ({ deleted }) => deleted.tasks > 0,
    );
    expect(halfway).toMatchObject({ status: 'running', finished_at: null });
    expect(halfway.deleted_count).toBeLessThan(before.total as number);
    await writer.query('ROLLBACK');
  } finally {
    writer.release(true);
  }
  const done = await eventually(
    () => erasure(id),
    ({ status }) => status !== 'running',
  );
  expect(done).toMatchObject({ status: 'done', total: before.total, deleted_count: before.total, finished_at: expect.any(String) });
  expect([await counts('live'), await counts('test')]).toEqual([live, none]);
  expect((await client.get(`/api/v1/ext/tasks/tasks/${kept}`)).status).toBe(200);
  expect((await owner.get(TEST_DATA)).body).toMatchObject({ total: 0, last_erasure: { id, status: 'done' } });
  const stranger = await other.signIn();
  expect((await stranger.get(`${TEST_DATA}/erasures/${id}`)).status).toBe(404);
  expect((await stranger.get(TEST_DATA)).body).toMatchObject({ total: 1, last_erasure: null });
});
