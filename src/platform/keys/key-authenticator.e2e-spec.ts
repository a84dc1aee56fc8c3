import { expect, test } from '@jest/globals';
import { NOTES, ownNotesApp } from '../../../test/harness/fixtures/fixture-apps.js';
import { EVERY_KEY } from '../key-changes/key-changes.js';
import { generateSecret } from './key-secret.js';

const LIMIT = 3;

/** Each test has an address of its own. */
const app = await ownNotesApp({ env: { RATE_LIMIT_AUTH_FAILURES_PER_ADDRESS: `${LIMIT}`, TRUSTED_PROXIES: '127.0.0.1' } });
const space = await app.workspace();

/** Revokes a key that no test uses. */
function readAllKeysAgain(): Promise<void> {
  return app.service<{ takeEffect(subject: string): Promise<void> }>('KeyChanges').takeEffect(EVERY_KEY);
}

async function keyAt(address: string) {
  const { id, client } = await space.key();
  return { id, client: client.with({ 'x-forwarded-for': address }) };
}

test('guessing is slowed down by address', async () => {
  const { client: good } = await keyAt('203.0.113.1');
  expect((await good.get(NOTES)).status).toBe(200);
  const guess = (address: string) => good.with({ authorization: 'Bearer svc_live_nonsense', 'x-forwarded-for': address }).get(NOTES);
  const statuses = [];
  for (let i = 0; i < LIMIT + 2; i++) statuses.push((await guess('203.0.113.1')).status);
  expect(statuses).toEqual([401, 401, 401, 429, 429]);
  expect((await guess('203.0.113.2')).status).toBe(401);
  expect((await good.get(NOTES)).status).toBe(200);
});

test('a bad key of an address does not block the good ones there when keys change', async () => {
  const { client: good } = await keyAt('203.0.113.3');
  const bad = good.with({ authorization: `Bearer ${generateSecret('live')}` });
  expect((await good.get(NOTES)).status).toBe(200);
  for (let i = 0; i < LIMIT; i++) await bad.get(NOTES);
  expect((await bad.get(NOTES)).status).toBe(429);
  await readAllKeysAgain();
  const statuses = [];
  for (const client of [good, good, bad]) statuses.push((await client.get(NOTES)).status);
  expect(statuses).toEqual([200, 200, 429]);
});

test('a key that was good and is revoked counts as a bad one from its second call on', async () => {
  const { id, client } = await keyAt('203.0.113.4');
  expect((await client.get(NOTES)).status).toBe(200);
  await app.sql.query(`UPDATE api_keys SET status = 'revoked', revoked_at = now() WHERE id = $1`, [id]);
  await readAllKeysAgain();
  const statuses = [];
  for (let i = 0; i < 5; i++) statuses.push((await client.get(NOTES)).status);
  expect(statuses).toEqual([401, 401, 401, 429, 429]);
});
