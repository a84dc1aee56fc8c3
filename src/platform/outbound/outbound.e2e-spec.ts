import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { Pool } from 'pg';
import { Client } from '../../../test/harness/client.js';
import { eventually } from '../../../test/harness/eventually.js';
import { NOTES, startNotesApp } from '../../../test/harness/fixtures/fixture-apps.js';
import { Mailbox } from '../../../test/harness/mailbox.js';
import { Receiver } from '../../../test/harness/receiver.js';
import { createTestDatabase } from '../../../test/harness/test-database.js';
import { confirmDatabase, isUnconfirmedCopy, noteDatabase } from './database-identity.js';

/** As at a start. Resolves to whether the database is held back. */
async function noted(connectionString: string): Promise<boolean> {
  const pool = new Pool({ connectionString, max: 1 });
  await noteDatabase(pool);
  const isCopy = await isUnconfirmedCopy(pool);
  await pool.end();
  return isCopy;
}

test('a copied database sends no webhook and no mail until an operator confirms it', async () => {
  const database = await createTestDatabase();
  expect([await noted(database.url), await noted(database.url)]).toEqual([false, false]);
  const [mailbox, receiver] = await Promise.all([Mailbox.start(), Receiver.start()]);
  const copy = await createTestDatabase(new URL(database.url).pathname.slice(1));
  expect(await noted(copy.url)).toBe(true);
  const app = await startNotesApp({ databaseUrl: copy.url, env: { ...mailbox.env, QUEUE_RECONCILE_MS: '200' } });
  const health = async () => (await new Client(app.url).get('/health/ready')).body.outbound;
  expect(await health()).toBe('held');

  const space = await app.workspace();
  const subscription = await receiver.subscribe(await space.signIn());
  const key = await space.key();
  expect((await key.client.post(NOTES, { project_id: space.eng.id, title: 'Held back' })).status).toBe(201);
  expect((await new Client(app.url).post('/api/v1/org/password-resets', { email: space.owner.email })).status).toBe(202);
  const mails = async () => (await app.sql.query<{ status: string }>('SELECT status FROM mails')).rows.map(({ status }) => status);
  expect(await eventually(mails, ({ length }) => length === 1)).toEqual(['queued']);
  // several polls of the worker
  await sleep(1_000);
  expect([await mails(), subscription.got(), mailbox.received]).toEqual([['queued'], [], []]);

  // what the original may need in its storage
  const collected = async () => {
    await app.runScheduledJob('platform.collect_files', new Date(Date.now() + 2 * 60 * 60_000));
    return (await app.sql.query('SELECT FROM objects')).rowCount === 0;
  };
  await app.sql.query(`INSERT INTO objects (id, organization_id, sha256, size, bytes) VALUES (gen_random_uuid(), $1, '', 0, '')`, [
    space.organizationId,
  ]);
  expect(await collected()).toBe(false);

  await confirmDatabase(app.sql);
  expect(
    await eventually(
      async () => subscription.got(),
      ({ length }) => length > 0,
    ),
  ).toMatchObject([{ event: { type: 'note.created' } }]);
  await mailbox.newest(space.owner.email, '');
  expect([await health(), await collected()]).toEqual(['on', true]);
  await app.close();
  await Promise.all([mailbox.stop(), receiver.stop(), copy.drop(), database.drop()]);
});
