import { expect, test } from '@jest/globals';
import { sharedApp } from '../../../test/harness/hosted-app.js';

const KEYS = '/api/v1/org/developer/api-keys';
const DAY_MS = 24 * 60 * 60_000;

const app = await sharedApp();

test('the end of a key is announced by mail 14 and 2 days before, once each, to its maker and to those who manage keys', async () => {
  const space = await app.workspace();
  const owner = await space.signIn();
  const [developer, member] = [await space.member('developer'), await space.member('member')];
  const maker = await space.member('developer');
  const endsIn = async (name: string, days: number, ageInDays = 60) => {
    const client = await space.signIn(maker.email);
    const expires_at = new Date(Date.now() + days * DAY_MS).toISOString();
    const { id } = (await client.post(KEYS, { name, module: 'tasks', mode: 'test', scopes: ['tasks:task:read'], expires_at })).body;
    await app.sql.query(`UPDATE api_keys SET created_at = now() - $2 * interval '1 day' WHERE id = $1`, [id, ageInDays]);
    return id as string;
  };
  const subjectsTo = async (recipient: string) => {
    const { data } = (await owner.get(`/api/v1/org/developer/mail-outbox?recipient=${recipient}&sort=created_at`)).body;
    return (data as { subject: string }[]).map(({ subject }) => subject);
  };
  const announce = () => app.runScheduledJob('keys.announce_end');

  const soon = await endsIn('Ends soon', 13.5);
  await endsIn('Ends later', 20);
  await endsIn('Short-lived', 1, 0);
  const revoked = await endsIn('Revoked', 5);
  await owner.post(`${KEYS}/${revoked}/revoke`);
  // the maker no longer manages keys
  await owner.patch(`/api/v1/org/members/${maker.id}`, { role: 'member' });
  await announce();
  await announce();
  const first = 'The API key "Ends soon" expires in 14 days';
  for (const { email } of [maker, developer, space.owner]) expect([email, await subjectsTo(email)]).toEqual([email, [first]]);
  expect(await subjectsTo(member.email)).toEqual([]);

  // a worker that did not run for days sends one mail, not two
  const moved = new Date(Date.now() + 1.5 * DAY_MS).toISOString();
  await owner.patch(`${KEYS}/${soon}`, { expires_at: moved });
  await announce();
  await announce();
  expect(await subjectsTo(developer.email)).toEqual([first, 'The API key "Ends soon" expires in 2 days']);
  const { data } = (await owner.get(`/api/v1/org/developer/mail-outbox?recipient=${developer.email}`)).body;
  expect(data[0].text).toContain(`/console/keys/${soon}`);
  expect(data[0].text).not.toContain('svc_test_');

  const stranger = await (await app.workspace()).signIn();
  expect((await stranger.get(`/api/v1/org/developer/mail-outbox?recipient=${developer.email}`)).body.data).toEqual([]);
});
