import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TestApp } from '../../../test/kit/app.js';
import { NOTES } from '../../../test/kit/fixture-apps.js';
import { createNotesApp } from '../../../test/kit/notes-app.js';
import { generateSecret } from './key-secret.js';
import { KeysEpoch } from '../keys-epoch/keys-epoch.js';

let app: TestApp;
beforeAll(async () => {
  app = await createNotesApp({ env: { RATE_LIMIT_AUTH_FAILURES_PER_ADDRESS: '3' } });
});
afterAll(() => app.close());

test('a bad key of an address does not block the good ones there when keys change', async () => {
  const { client: good } = await (await app.workspace()).key();
  const bad = good.with({ authorization: `Bearer ${generateSecret('live')}` });
  expect((await good.get(NOTES)).status).toBe(200);
  for (let i = 0; i < 3; i++) await bad.get(NOTES);
  expect((await bad.get(NOTES)).status).toBe(429);
  await app.app.get(KeysEpoch).bump();
  const statuses = [];
  for (const client of [good, good, bad]) statuses.push((await client.get(NOTES)).status);
  expect(statuses).toEqual([200, 200, 429]);
});

test('a key that was good and is revoked counts as a bad one from its second call on', async () => {
  const address = await createNotesApp({ env: { RATE_LIMIT_AUTH_FAILURES_PER_ADDRESS: '3' } });
  const { id, client } = await (await address.workspace()).key();
  expect((await client.get(NOTES)).status).toBe(200);
  await address.sql.query(`UPDATE api_keys SET status = 'revoked', revoked_at = now() WHERE id = $1`, [id]);
  await address.app.get(KeysEpoch).bump();
  const statuses = [];
  for (let i = 0; i < 5; i++) statuses.push((await client.get(NOTES)).status);
  expect(statuses).toEqual([401, 401, 401, 429, 429]);
  await address.close();
});
