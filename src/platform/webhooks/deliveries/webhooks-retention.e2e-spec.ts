import { afterAll, expect, test } from '@jest/globals';
import { eventually } from '../../../../test/harness/eventually.js';
import { NOTES, ownNotesApp } from '../../../../test/harness/fixtures/fixture-apps.js';
import { Receiver } from '../../../../test/harness/receiver.js';

const DAY_MS = 24 * 60 * 60_000;
const KEPT_DAYS = 3;
const TABLES = ['outbox_events', 'webhook_deliveries', 'webhook_attempts', 'mails'] as const;

const receiver = await Receiver.start();
const app = await ownNotesApp({ env: { WEBHOOK_RETENTION_DAYS: `${KEPT_DAYS}`, QUEUE_RECONCILE_MS: '100' } });

afterAll(() => receiver.stop());

async function counts(): Promise<number[]> {
  return Promise.all(
    TABLES.map(async (table) => (await app.sql.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`)).rows[0].n),
  );
}

/** Copies of a table's only row, with ids of the given age. */
async function aged(table: string, key: string, ageMs: number, count: number): Promise<void> {
  const { rows } = await app.sql.query<{ column_name: string }>(
    'SELECT column_name FROM information_schema.columns WHERE table_name = $1 AND is_generated = $2 ORDER BY ordinal_position',
    [table, 'NEVER'],
  );
  const columns = rows.map(({ column_name }) => column_name).filter((column) => column !== 'sequence');
  const time = (Date.now() - ageMs).toString(16).padStart(12, '0');
  const id = `('${time.slice(0, 8)}-${time.slice(8)}-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`;
  await app.sql.query(
    `INSERT INTO ${table} (${columns.join(', ')}) OVERRIDING SYSTEM VALUE
     SELECT ${columns.map((column) => (column === key ? id : `t.${column}`)).join(', ')}
     FROM (SELECT * FROM ${table} LIMIT 1) AS t, generate_series(1, ${count}) AS n`,
  );
}

test('events, deliveries with their attempts, and mails go when their retention is over, however many, and no sooner', async () => {
  const space = await app.workspace();
  const owner = await space.signIn();
  const key = await space.key();
  await receiver.subscribe(owner, { events: ['note.created'] });
  expect((await key.client.post(NOTES, { project_id: space.eng.id, title: 'Kept' })).status).toBe(201);
  const { sendMail } = app.inside<typeof import('../../../../test/harness/send-mail.js')>('test/harness/send-mail.ts');
  await sendMail(space.ctx(), { to: 'ada@example.com', subject: 'Hello', text: 'Text', permission: null });
  const newest = async () =>
    (await owner.get('/api/v1/org/developer/deliveries')).body.data[0] as { id: string; event_id: string; status: string };
  const delivered = await eventually(newest, (delivery) => delivery?.status === 'delivered');
  expect(await counts()).toEqual([1, 1, 1, 1]);

  for (const table of TABLES) {
    const id = table === 'webhook_attempts' ? 'delivery_id' : 'id';
    // more than one DELETE takes, and one a minute within the retention
    await aged(table, id, KEPT_DAYS * DAY_MS + 60_000, 5_001);
    await aged(table, id, KEPT_DAYS * DAY_MS - 60_000, 1);
  }
  expect(await counts()).toEqual(Array(4).fill(5_003));

  await app.runScheduledJob('platform.purge');
  expect(await counts()).toEqual([2, 2, 2, 2]);
  expect((await owner.get(`/api/v1/org/developer/deliveries/${delivered.id}`)).body).toMatchObject({
    event_id: delivered.event_id,
    attempts: [{ number: 1 }],
  });
  expect((await owner.get(`/api/v1/org/developer/events/${delivered.event_id}`)).status).toBe(200);

  await app.runScheduledJob('platform.purge', new Date(Date.now() + KEPT_DAYS * DAY_MS + 1_000));
  expect(await counts()).toEqual([0, 0, 0, 0]);
});
