import { afterAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { eventually } from '../../../../test/harness/eventually.js';
import { NOTES, startNotesApp } from '../../../../test/harness/fixtures/fixture-apps.js';
import { Receiver } from '../../../../test/harness/receiver.js';
import { CLAIM_SEED } from './delivery-claims.js';

const SETTINGS = {
  QUEUE_RECONCILE_MS: '50',
  ENCRYPTION_KEY: 'only for tests, known to all of us',
};
const RESPONSE_MS = 15;

const receiver = await Receiver.start();
const first = await startNotesApp({ env: SETTINGS });
/** Both with workers. */
const apps = [first, await startNotesApp({ env: SETTINGS, databaseUrl: first.databaseUrl })];

afterAll(async () => {
  for (const app of apps.toReversed()) await app.close();
  await receiver.stop();
});

const spiesOf = apps.map((app) => app.inside<typeof import('../../../../test/harness/spies.js')>('test/harness/spies.ts'));
for (const spies of spiesOf) await spies.countCalls('Poster', 'post');

/** Delays the responses of the path. Returns a function that gives the most requests that were open at once. */
function countAtOnce(path: string): () => number {
  let open = 0;
  let most = 0;
  receiver.on(path, (_request, response) => {
    most = Math.max(most, ++open);
    setTimeout(() => {
      open--;
      response.end();
    }, RESPONSE_MS);
  });
  return () => most;
}

test.each([1, 3])(
  'two workers together send an endpoint no more than its max_concurrency of %i at once',
  async (max_concurrency) => {
    const space = await apps[0].workspace();
    const owner = await space.signIn();
    const key = await space.key();
    for (const spies of spiesOf) await spies.callsOf('Poster');
    const { id, path } = await receiver.subscribe(owner, { events: ['note.created'], max_concurrency });
    const most = countAtOnce(path);

    // whoever is done with a delivery is first to take the next, so one of the two may come away empty for a while
    const posts = [0, 0];
    const bothWorked = () => posts.every((count) => count > 5);
    let notes = 0;
    for (let round = 0; round === 0 || (round < 5 && !bothWorked()); round++) {
      await Promise.all(
        Array.from({ length: 60 }, (_, n) =>
          key.client.at(apps[n % 2].url).post(NOTES, { project_id: space.eng.id, title: `Note ${notes + n}` }),
        ),
      );
      notes += 60;
      expect(
        await eventually(
          async () => receiver.at(path).length,
          (count) => count === notes,
        ),
      ).toBe(notes);
      for (const [index, spies] of spiesOf.entries()) posts[index] += await spies.callsOf('Poster');
    }
    expect([bothWorked(), most()]).toEqual([true, max_concurrency]);
    expect(new Set(receiver.at(path).map(({ eventId }) => eventId)).size).toBe(notes);
    await owner.delete(`/api/v1/org/developer/webhook-endpoints/${id}`);
  },
  120_000,
);

test('while another worker claims from an endpoint, the others get their deliveries, and it gets its own soon after', async () => {
  const space = await apps[0].workspace();
  const owner = await space.signIn();
  const { client } = await space.key();
  const taken = await receiver.subscribe(owner, { events: ['note.created'] });
  const free = await receiver.subscribe(owner, { events: ['note.created'] });
  const received = ({ path }: { path: string }) =>
    eventually(
      async () => receiver.at(path).length,
      (count) => count === 1,
    );
  const claiming = new Client(first.databaseUrl);
  await claiming.connect();
  await claiming.query('SELECT pg_advisory_lock(hashtextextended($1, $2))', [taken.id, CLAIM_SEED]);
  await client.post(NOTES, { project_id: space.eng.id, title: 'To both' });
  expect(await received(free)).toBe(1);
  expect(receiver.at(taken.path)).toHaveLength(0);
  await claiming.end();
  expect(await received(taken)).toBe(1);
});
