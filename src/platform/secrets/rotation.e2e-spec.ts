import { expect, test } from '@jest/globals';
import pg from 'pg';
import Stripe from 'stripe';
import { Client } from '../../../test/harness/client.js';
import { eventually } from '../../../test/harness/eventually.js';
import { startApp } from '../../../test/harness/hosted-app.js';
import { Receiver } from '../../../test/harness/receiver.js';
import { createTestDatabase } from '../../../test/harness/test-database.js';
import { encryptedColumns } from './encrypted-columns.js';
import { SecretRotation } from './rotation.js';

const [OLD, NEW] = ['a'.repeat(32), 'b'.repeat(32)];
const TASKS = '/api/v1/ext/tasks/tasks';

test('after a rotation the new key signs webhooks as before, and no Idempotency-Key is forgotten', async () => {
  const { url: databaseUrl, drop } = await createTestDatabase();
  const receiver = await Receiver.start();
  const env = { WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8' };
  const before = await startApp({ env: { ...env, ENCRYPTION_KEY: OLD, CURSOR_SECRET: 'c'.repeat(32) }, databaseUrl });
  const workspace = await before.workspace();
  const endpoint = await receiver.subscribe(await workspace.signIn());
  const { secret } = await workspace.key({ module: 'tasks' });
  const create = (url: string, title: string) =>
    new Client(url, { authorization: `Bearer ${secret}` }).post(
      TASKS,
      { project_id: workspace.eng.id, title },
      { 'idempotency-key': title },
    );
  const first = await create(before.url, 'before');
  await before.close();

  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  // of an earlier release, whose key is lost
  await pool.query(`INSERT INTO request_bodies VALUES ('lost', $1, '\\x01${'00'.repeat(40)}', now())`, [workspace.organizationId]);
  const done = await new SecretRotation(pool, [NEW, OLD], encryptedColumns([])).rotate();
  expect(done.filter(({ rotated, unreadable }) => rotated + unreadable > 0)).toEqual([
    { table: 'installation_keys', column: 'sealed', rotated: 2, unreadable: 0 },
    { table: 'webhook_endpoints', column: 'secret', rotated: 1, unreadable: 0 },
    { table: 'request_bodies', column: 'content', rotated: 0, unreadable: 1 },
  ]);
  await pool.end();

  const after = await startApp({ env: { ...env, ENCRYPTION_KEY: NEW, CURSOR_SECRET: 'd'.repeat(32) }, databaseUrl });
  expect(await create(after.url, 'before')).toMatchObject({ body: first.body, headers: { 'idempotent-replayed': 'true' } });
  await create(after.url, 'after');
  const sent = await eventually(
    async () => endpoint.got().find(({ body }) => body.includes('"after"')),
    (delivery) => delivery !== undefined,
  );
  new Stripe('sk_test').webhooks.constructEvent(sent!.body, sent!.headers['svc-signature'], endpoint.secret);
  await after.close();
  await receiver.stop();
  await drop();
});
