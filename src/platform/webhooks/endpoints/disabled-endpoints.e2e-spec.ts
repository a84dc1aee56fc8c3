import { afterAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiResponse } from '../../../../test/harness/client.js';
import { eventually } from '../../../../test/harness/eventually.js';
import { NOTES, ownNotesApp } from '../../../../test/harness/fixtures/fixture-apps.js';
import { Receiver } from '../../../../test/harness/receiver.js';

const ENDPOINTS = '/api/v1/org/developer/webhook-endpoints';
const DELIVERIES = '/api/v1/org/developer/deliveries';

const receiver = await Receiver.start();
const app = await ownNotesApp({
  env: {
    WEBHOOK_BACKOFF_MS: '100',
    WEBHOOK_BACKOFF_FACTOR: '1',
    WEBHOOK_TIMEOUT_MS: '60000',
    WEBHOOK_LEASE_MS: '90000',
    QUEUE_RECONCILE_MS: '100',
  },
});
const space = await app.workspace();
const owner = await space.signIn();
const key = await space.key();

afterAll(() => receiver.stop());

interface InFlight {
  id: string;
  path: string;
  delivery: () => Promise<ApiResponse['body']>;
  /** Lets the receiver respond. It does so at once to later deliveries. */
  respond: () => void;
}

/** An endpoint, and a delivery to it to which the receiver has not responded yet. */
async function deliveryInFlight(responseStatus: number): Promise<InFlight> {
  const { id, path } = await receiver.subscribe(owner, { events: ['note.created'] });
  const { promise: allowed, resolve: respond } = Promise.withResolvers<void>();
  receiver.on(path, (_request, response) => void allowed.then(() => response.writeHead(responseStatus).end('so it ended')));
  await note();
  await eventually(
    async () => receiver.at(path).length,
    (count) => count === 1,
  );
  const delivery = async () => {
    const [newest] = (await owner.get(`${DELIVERIES}?endpoint_id=${id}`)).body.data;
    return (await owner.get(`${DELIVERIES}/${newest.id}`)).body;
  };
  return { id, path, delivery, respond };
}

async function note(): Promise<void> {
  expect((await key.client.post(NOTES, { project_id: space.eng.id, title: `n ${randomUUID()}` })).status).toBe(201);
}

describe('a delivery in flight when the endpoint is disabled', () => {
  test.each([
    ['disabled', (id: string) => owner.post(`${ENDPOINTS}/${id}/disable`), 'the endpoint is disabled'],
    ['deleted', (id: string) => owner.delete(`${ENDPOINTS}/${id}`), 'the endpoint was deleted'],
  ])('%s fails at once, and its attempt is written when it has ended', async (_how, end, reason) => {
    const { id, delivery, respond } = await deliveryInFlight(500);
    expect((await end(id)).status).toBeLessThan(300);
    expect(await delivery()).toMatchObject({ status: 'failed', last_error: reason, next_attempt_at: null, attempts: [] });
    respond();
    const ended = await eventually(delivery, ({ last_status, attempts }) => last_status !== null && attempts.length > 0);
    expect(ended).toMatchObject({
      status: 'failed',
      last_error: reason,
      last_status: 500,
      next_attempt_at: null,
      attempt_count: 1,
      attempts: [{ number: 1, status: 500, error: 'answered 500', body: 'so it ended' }],
    });
  });

  test('is delivered if the receiver accepts it', async () => {
    const { id, delivery, respond } = await deliveryInFlight(200);
    await owner.post(`${ENDPOINTS}/${id}/disable`);
    respond();
    expect(await eventually(delivery, ({ status }) => status === 'delivered')).toMatchObject({
      status: 'delivered',
      last_error: null,
      attempt_count: 1,
    });
  });

  test('is not retried when the endpoint is enabled again, and still counts toward its concurrency', async () => {
    const { id, path, delivery, respond } = await deliveryInFlight(500);
    await owner.patch(`${ENDPOINTS}/${id}`, { max_concurrency: 1 });
    await owner.post(`${ENDPOINTS}/${id}/disable`);
    const first = await delivery();
    await owner.post(`${ENDPOINTS}/${id}/enable`);
    await note();
    // one at a time: the new one waits for the old attempt's end, several polls of the worker long
    await sleep(500);
    const [old, ...others] = receiver.at(path);
    expect(others).toEqual([]);
    respond();
    await eventually(
      async () => receiver.at(path).length,
      (count) => count >= 4,
    );
    expect(receiver.at(path).filter(({ eventId }) => eventId === old.eventId)).toHaveLength(1);
    expect((await owner.get(`${DELIVERIES}/${first.id}`)).body).toMatchObject({
      status: 'failed',
      attempt_count: 1,
      next_attempt_at: null,
    });
    await owner.delete(`${ENDPOINTS}/${id}`);
  });

  test('fails too if the receiver responds to another one with 410', async () => {
    const { id, path, delivery, respond } = await deliveryInFlight(500);
    const first = await delivery();
    receiver.on(path, (_request, response) => void response.writeHead(410).end());
    await note();
    await eventually(
      async () => (await owner.get(`${ENDPOINTS}/${id}`)).body.status,
      (status) => status === 'disabled',
    );
    expect(
      (await owner.get(`${DELIVERIES}?endpoint_id=${id}`)).body.data.map(({ status, next_attempt_at }: Record<string, unknown>) => [
        status,
        next_attempt_at,
      ]),
    ).toEqual(Array(2).fill(['failed', null]));
    respond();
    const ended = await eventually(
      async () => (await owner.get(`${DELIVERIES}/${first.id}`)).body,
      ({ last_status, attempts }) => last_status !== null && attempts.length > 0,
    );
    expect(ended).toMatchObject({ status: 'failed', last_error: 'the endpoint is disabled', last_status: 500, attempt_count: 1 });
  });
});

/** A change that reads the endpoint as enabled and commits after its end leaves such a delivery behind. */
test.each([
  ['disabled', (id: string) => owner.post(`${ENDPOINTS}/${id}/disable`), 'the endpoint is disabled'],
  ['deleted', (id: string) => owner.delete(`${ENDPOINTS}/${id}`), 'the endpoint was deleted'],
])('what was written while the endpoint was being %s fails without an attempt', async (_how, end, reason) => {
  const { id, delivery, respond } = await deliveryInFlight(200);
  respond();
  const { id: deliveryId } = await eventually(delivery, ({ status }) => status === 'delivered');
  await end(id);
  await app.sql.query(`UPDATE webhook_deliveries SET status = 'ready', tries = 0, due_at = now(), delivered_at = NULL WHERE id = $1`, [
    deliveryId,
  ]);
  const failed = await eventually(
    async () => (await owner.get(`${DELIVERIES}/${deliveryId}`)).body,
    ({ status }) => status === 'failed',
  );
  expect(failed).toMatchObject({ status: 'failed', attempt_count: 1, last_error: reason, next_attempt_at: null });
  expect(failed.attempts).toHaveLength(1);
});
