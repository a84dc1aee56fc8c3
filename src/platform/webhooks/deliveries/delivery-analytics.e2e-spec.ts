import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { eventually } from '../../../../test/harness/eventually.js';
import { NOTES, sharedNotesApp } from '../../../../test/harness/fixtures/fixture-apps.js';
import { Receiver } from '../../../../test/harness/receiver.js';

const ANALYTICS = '/api/v1/org/developer/delivery-analytics';

const receiver = await Receiver.start();
const app = await sharedNotesApp();
const space = await app.workspace();
const owner = await space.signIn();

afterAll(() => receiver.stop());

interface Stats {
  attempts: number;
  failures: number;
}

test('delivery attempts are counted per hour, endpoint and reason', async () => {
  const [good, bad] = [
    await receiver.subscribe(owner, { events: ['note.created'] }),
    await receiver.subscribe(owner, { events: ['note.created'] }),
  ];
  receiver.on(bad.path, (_request, response) => void response.writeHead(503).end());
  const { client } = await space.key();
  for (let i = 0; i < 2; i++) await client.post(NOTES, { project_id: space.eng.id, title: `n ${randomUUID()}` });
  const read = async (query = '') => (await owner.get(`${ANALYTICS}?${query}`)).body;
  const body = await eventually(read, ({ totals }) => totals.attempts === 4);
  expect(body).toMatchObject({ object: 'delivery_analytics', interval: 'hour' });
  expect(body.totals).toMatchObject({ attempts: 4, failures: 2, failure_rate: 0.5, latency_ms_p99: expect.any(Number) });
  expect(body.by_error).toEqual([expect.objectContaining({ error: 'answered 503', attempts: 2, failures: 2 })]);
  const outcomes = (rows: (Stats & { endpoint_id: string })[]) => rows.map((row) => [row.endpoint_id, row.attempts, row.failures]).sort();
  expect(outcomes(body.by_endpoint)).toEqual(
    [
      [good.id, 2, 0],
      [bad.id, 2, 2],
    ].sort(),
  );
  expect(body.by_interval).toHaveLength(25);
  const [attempts, failures] = ['attempts', 'failures'].map((name) =>
    (body.by_interval as Stats[]).reduce((sum, row) => sum + row[name as keyof Stats], 0),
  );
  expect([attempts, failures]).toEqual([4, 2]);

  expect((await read(`endpoint_id=${bad.id}`)).totals).toMatchObject({ attempts: 2, failures: 2 });
  expect((await read('mode=test')).totals).toMatchObject({ attempts: 0, failure_rate: 0, latency_ms_p50: null });
  expect((await read('interval=day')).by_interval).toHaveLength(2);
  const invalid = await owner.get(`${ANALYTICS}?from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z`);
  expect([invalid.status, invalid.body.error.param]).toEqual([400, 'from']);

  const stranger = await (await app.workspace()).signIn();
  expect((await stranger.get(`${ANALYTICS}?endpoint_id=${bad.id}`)).body.totals.attempts).toBe(0);
  const member = await space.signIn((await space.member('member')).email);
  expect((await member.get(ANALYTICS)).body.error.required_permission).toBe('org.developer.webhooks.manage');
});
