import { afterAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import Stripe from 'stripe';
import { Client, type ApiResponse } from '../../../test/harness/client.js';
import { eventFaults } from '../../../test/harness/event-document.js';
import { eventually } from '../../../test/harness/eventually.js';
import { ownNotesApp } from '../../../test/harness/fixtures/fixture-apps.js';
import { Receiver, type Received } from '../../../test/harness/receiver.js';
import type { RequestLog } from '../request-log/request-log.js';

const ENDPOINTS = '/api/v1/org/developer/webhook-endpoints';
const DELIVERIES = '/api/v1/org/developer/deliveries';
/** Longer than a busy machine takes to look at what is held back. */
const CAP_MS = 20_000;
const stripe = new Stripe('sk_test_unused');

const receiver = await Receiver.start();
const app = await ownNotesApp({
  env: {
    WEBHOOK_BACKOFF_MS: '300',
    WEBHOOK_BACKOFF_FACTOR: '2',
    WEBHOOK_BACKOFF_CAP_MS: `${CAP_MS}`,
    WEBHOOK_ATTEMPTS: '3',
    WEBHOOK_TIMEOUT_MS: '3000',
    WEBHOOK_LEASE_MS: '4000',
    QUEUE_RECONCILE_MS: '100',
  },
});
const space = await app.workspace();
const owner = await space.signIn();
const key = await space.key();

afterAll(() => receiver.stop());

const endpoint = (values?: object) => receiver.subscribe(owner, values);

async function note(title = `n ${randomUUID()}`, by = key, project_id = space.eng.id): Promise<string> {
  const answer = await by.client.post('/api/v1/ext/notes/notes', { project_id, title });
  expect(answer.status).toBe(201);
  return answer.body.id as string;
}

/** The delivery of a note's event to an endpoint, once it satisfies the predicate. */
function delivery(endpointId: string, satisfied: (body: ApiResponse['body']) => boolean) {
  return eventually(
    async () => (await owner.get(`${DELIVERIES}?endpoint_id=${endpointId}`)).body.data[0],
    (body) => body !== undefined && satisfied(body),
  );
}

async function attempts(deliveryId: string) {
  return (await owner.get(`${DELIVERIES}/${deliveryId}`)).body;
}

test('the OpenAPI document states the configured timeout and attempts', async () => {
  const { body } = await new Client(app.url).get('/openapi.json');
  const { description } = body.components.responses.EventReceived;
  expect(description).toMatch(/complete within 3 s of .* up to 3 attempts/);
});

describe('a delivery', () => {
  test('arrives signed, with its headers, and is what GET /events shows', async () => {
    const { id, secret, got } = await endpoint({ events: ['note.created'] });
    const noteId = await note('Signed é');
    const [first] = await eventually(
      async () => got(),
      (all) => all.length > 0,
    );
    expect(first.headers).toMatchObject({
      'svc-event-type': 'note.created',
      'user-agent': 'Svc-Webhooks/1.0',
      'content-type': 'application/json; charset=utf-8',
    });
    expect(first.headers['svc-signature']).toMatch(/^t=\d{10},v1=[0-9a-f]{64}$/);
    const verified = stripe.webhooks.constructEvent(first.body, first.headers['svc-signature'], secret) as unknown as Received['event'];
    expect(verified).toMatchObject({ id: first.eventId, type: 'note.created', data: { object: { id: noteId, title: 'Signed é' } } });
    expect(() => stripe.webhooks.constructEvent(`${first.body} `, first.headers['svc-signature'], secret)).toThrow();
    expect((await owner.get(`/api/v1/org/developer/events/${first.eventId}`)).body).toEqual({
      ...JSON.parse(first.body),
      required_permission: null,
    });

    const done = await delivery(id, ({ status }) => status === 'delivered');
    const log = await attempts(done.id);
    expect(log).toMatchObject({ event_id: first.eventId, attempt_count: 1, last_status: 200, next_attempt_at: null });
    expect(log.attempts).toEqual([expect.objectContaining({ number: 1, status: 200, body: 'ok', error: null })]);
    expect(log.request).toMatchObject({ body: first.body, required_permission: null });
    for (const [name, value] of Object.entries(log.request.headers)) expect(first.headers[name.toLowerCase()]).toBe(value);
    const caused = await owner.get(
      `/api/v1/org/developer/events?request_id=${(JSON.parse(first.body) as { request: { id: string } }).request.id}`,
    );
    expect(caused.body.data.map((event: { id: string }) => event.id)).toEqual([first.eventId]);
  });

  test('is sent only to endpoints of its organization, mode, project and types', async () => {
    const all = await endpoint();
    const [otherType, otherProject, testMode, disabled] = [
      await endpoint({ events: ['webhook_endpoint.tested'] }),
      await endpoint({ project_id: space.ops.id }),
      await endpoint({ mode: 'test' }),
      await endpoint(),
    ];
    await owner.post(`${ENDPOINTS}/${disabled.id}/disable`);
    const title = `routing ${randomUUID()}`;
    await note(title);
    await eventually(
      async () => all.got(),
      (got) => got.length > 0,
    );
    for (const other of [otherType, otherProject, testMode, disabled]) expect(other.got()).toEqual([]);
    await note(title, await space.key({ mode: 'test' }));
    const [inTest] = await eventually(
      async () => testMode.got(),
      (got) => got.length > 0,
    );
    expect(inTest.event).toMatchObject({ mode: 'test' });
    expect(all.got()).toHaveLength(1);
  });

  test('is repeated with the same body and id, then fails', async () => {
    const { id, path, got, secret } = await endpoint();
    receiver.on(path, (_request, response) => void response.writeHead(500).end('broken'));
    await note();
    const failed = await delivery(id, ({ status }) => status === 'failed');
    expect(got()).toHaveLength(3);
    expect(new Set(got().map(({ body }) => body)).size).toBe(1);
    for (const { body, headers } of got()) stripe.webhooks.constructEvent(body, headers['svc-signature'], secret);
    const waits = got()
      .slice(1)
      .map(({ at }, index) => at - got()[index].at);
    expect(waits[0]).toBeGreaterThanOrEqual(295);
    expect(waits[1]).toBeGreaterThanOrEqual(595);
    expect((await attempts(failed.id)).attempts.map(({ status, error, body }: Record<string, unknown>) => [status, error, body])).toEqual(
      Array(3).fill([500, 'answered 500', 'broken']),
    );

    receiver.on(path, (_request, response) => void response.end());
    const count = await owner.post(`${DELIVERIES}/resend`, { endpoint_id: id, dry_run: true });
    expect(count.body).toEqual({ object: 'resend', dry_run: true, count: 1 });
    const resent = await owner.post(`${DELIVERIES}/resend`, { endpoint_id: id, since: '2020-01-01T00:00:00Z' });
    expect([resent.status, resent.body]).toEqual([200, { object: 'resend', dry_run: false, count: 1 }]);
    await app.service<RequestLog>('RequestLog').flush();
    const changes = await owner.get('/api/v1/org/developer/logs?plane=product&operation=resend_failed_deliveries');
    expect(changes.body.data.map(({ status }: { status: number }) => status)).toEqual([200]);
    expect(await delivery(id, ({ status }) => status === 'delivered')).toMatchObject({ attempt_count: 4 });
    expect((await owner.post(`${DELIVERIES}/${failed.id}/resend`)).body.status).toBe('pending');
    await eventually(
      async () => got(),
      (all) => all.length === 5,
    );
    expect(new Set(got().map(({ eventId }) => eventId)).size).toBe(1);
  });

  test('whose worker ended is sent at once, and uses up no attempt', async () => {
    const { id, path, got } = await endpoint({ max_concurrency: 1 });
    receiver.on(path, (_request, response) => void response.writeHead(500).end());
    await note();
    const failed = await delivery(id, ({ status }) => status === 'failed');
    receiver.on(path, (_request, response) => void response.end());
    // in its last attempt, and with all of the endpoint's share
    await app.sql.query(
      `UPDATE webhook_deliveries SET status = 'sending', attempt_count = attempt_count + 1, leased_until = now() + interval '1 h',
         leased_by = gen_random_uuid() WHERE id = $1`,
      [failed.id],
    );
    await note();
    await eventually(
      async () => new Set(got().map(({ eventId }) => eventId)).size,
      (events) => events === 2,
      2_000,
    );
    expect(await delivery(id, ({ status }) => status === 'delivered')).toMatchObject({ last_error: null });
    const { attempts: log } = await attempts(failed.id);
    expect(log.map(({ error }: { error: string | null }) => error)).toContainEqual(expect.stringMatching(/the worker ended/));
    // after the other one: first attempts go before retries
    await eventually(
      async () => (await owner.get(`${DELIVERIES}/${failed.id}`)).body.status as string,
      (status) => status === 'delivered',
    );
  });

  test('honours Retry-After, for all deliveries to the endpoint', async () => {
    const { id, path, got } = await endpoint();
    let calls = 0;
    receiver.on(
      path,
      (_request, response) => void (calls++ === 0 ? response.writeHead(429, { 'retry-after': '1' }).end() : response.end()),
    );
    await note();
    await delivery(id, ({ last_error }) => last_error !== null);
    await sleep(150);
    await note();
    await eventually(
      async () => got(),
      (all) => all.length === 3,
    );
    for (const { at } of got().slice(1)) expect(at - got()[0].at).toBeGreaterThanOrEqual(995);
  });

  test('a pause that the receiver asks for is shown, and holds back neither test events nor what members resend', async () => {
    const { id, path, got } = await endpoint();
    let calls = 0;
    receiver.on(
      path,
      (_request, response) => void (calls++ === 0 ? response.writeHead(503, { 'retry-after': '3600' }).end() : response.end()),
    );
    await note();
    const refused = await delivery(id, ({ last_error }) => last_error !== null);
    const held = await eventually(
      async () => (await owner.get(`${ENDPOINTS}/${id}`)).body,
      ({ held_until }) => held_until !== null,
    );
    expect(held.hold_reason).toBe('The receiver answered 503 with Retry-After: 3600.');
    // the cap of this application
    expect(Date.parse(held.held_until) - Date.now()).toBeLessThanOrEqual(CAP_MS);
    await app.sql.query(`UPDATE webhook_endpoints SET held_until = now() + interval '1 hour' WHERE id = $1`, [id]);
    await note();
    const { event_id } = (await owner.post(`${ENDPOINTS}/${id}/test`)).body;
    await eventually(
      async () => got().map(({ eventId }) => eventId),
      (ids) => ids.includes(event_id as string),
    );
    expect((await owner.post(`${DELIVERIES}/${refused.id}/resend`)).status).toBe(200);
    await eventually(
      async () => got(),
      (all) => all.length === 3,
    );
    expect(got().map(({ eventId }) => eventId)).toEqual([refused.event_id, event_id, refused.event_id]);
    // the result is stored after the response
    const pending = async () => (await owner.get(`${DELIVERIES}?endpoint_id=${id}&status=pending`)).body.data as unknown[];
    expect(await eventually(pending, ({ length }) => length === 1)).toEqual([
      expect.objectContaining({ event_type: 'note.created', attempt_count: 0 }),
    ]);
    // another receiver has not asked for anything
    const elsewhere = await owner.patch(`${ENDPOINTS}/${id}`, { url: receiver.url(`${path}-new`) });
    expect(elsewhere.body).toMatchObject({ held_until: null, hold_reason: null });
    await eventually(
      async () => receiver.at(`${path}-new`),
      (all) => all.length === 1,
    );
  });

  test.each([
    ['hangs', 'timed out', (response: import('node:http').ServerResponse) => void response],
    [
      'drips',
      'timed out',
      (response: import('node:http').ServerResponse) => {
        response.writeHead(200);
        const drip = setInterval(() => response.write('.'), 50);
        response.on('close', () => clearInterval(drip));
      },
    ],
    ['resets', 'other side closed|ECONNRESET|reset', (response: import('node:http').ServerResponse) => response.socket?.resetAndDestroy()],
    [
      'redirects',
      'redirects are not followed',
      (response: import('node:http').ServerResponse) => response.writeHead(302, { location: receiver.url('/elsewhere') }).end(),
    ],
  ])('to a receiver that %s is no success', async (_name, reason, behave) => {
    const { id, path, got } = await endpoint();
    receiver.on(path, (_request, response) => void behave(response));
    await note();
    const tried = await delivery(id, ({ attempt_count, last_error }) => attempt_count > 0 && last_error !== null);
    expect(tried.last_error).toMatch(new RegExp(reason));
    expect(got().length).toBeGreaterThan(0);
    expect(receiver.at('/elsewhere')).toEqual([]);
    await owner.post(`${ENDPOINTS}/${id}/disable`);
  });

  test('reads only the part of a long response that it stores', async () => {
    const { id, path } = await endpoint();
    let sent = 0;
    receiver.on(path, (_request, response) => {
      const chunk = Buffer.alloc(64 * 1024, 'x');
      const pour = () => {
        while (sent < 2 ** 30 && !response.destroyed && response.write(chunk)) sent += chunk.length;
        if (sent < 2 ** 30 && !response.destroyed) response.once('drain', pour);
      };
      pour();
    });
    await note();
    const done = await delivery(id, ({ status }) => status === 'delivered');
    expect((await attempts(done.id)).attempts[0].body).toHaveLength(16 * 1024);
    expect(sent).toBeLessThan(2 ** 26);
  });
});

describe('an endpoint', () => {
  test('that responds with 410 is disabled, its pending deliveries fail, and members who manage webhooks get a mail', async () => {
    const { id, path } = await endpoint();
    receiver.on(path, (_request, response) => void response.writeHead(500).end());
    await note();
    await delivery(id, ({ attempt_count }) => attempt_count > 0);
    // both deliveries are there before either can be answered 410
    await note();
    receiver.on(path, (_request, response) => void response.writeHead(410).end());
    const gone = await eventually(
      async () => (await owner.get(`${ENDPOINTS}/${id}`)).body,
      ({ status }) => status === 'disabled',
    );
    expect(gone).toMatchObject({ status: 'disabled', disabled_reason: 'gone' });
    const all = await eventually(
      async () => (await owner.get(`${DELIVERIES}?endpoint_id=${id}`)).body.data as { status: string }[],
      (data) => data.every(({ status }) => status === 'failed'),
    );
    expect(all.map(({ status }) => status)).toEqual(['failed', 'failed']);
    const mails = await owner.get('/api/v1/org/developer/mail-outbox');
    expect(mails.body.data[0]).toMatchObject({
      recipient: space.owner.email,
      status: 'held',
      subject: expect.stringContaining('disabled'),
    });
    expect((await owner.post(`${DELIVERIES}/resend`, { endpoint_id: id, since: '2020-01-01T00:00:00Z' })).status).toBe(409);
  });

  test('that has failed for five days is disabled', async () => {
    const { id, path } = await endpoint();
    receiver.on(path, (_request, response) => void response.writeHead(500).end());
    await note();
    await eventually(
      async () => (await owner.get(`${ENDPOINTS}/${id}`)).body,
      ({ failing_since }) => failing_since !== null,
    );
    const isFailing = async () => {
      const found = await Promise.all([true, false].map((failing) => owner.get(`${ENDPOINTS}?failing=${failing}&limit=100`)));
      return found.map(({ body }) => body.data.some((one: { id: string }) => one.id === id));
    };
    expect(await isFailing()).toEqual([true, false]);
    await app.sql.query(`UPDATE webhook_endpoints SET failing_since = now() - interval '121 hours' WHERE id = $1`, [id]);
    await note();
    expect(
      await eventually(
        async () => (await owner.get(`${ENDPOINTS}/${id}`)).body,
        ({ status }) => status === 'disabled',
      ),
    ).toMatchObject({ disabled_reason: 'failing' });
    expect(await isFailing()).toEqual([true, false]);
  });

  test('starts clean when it is enabled again', async () => {
    const { id, path, got } = await endpoint();
    receiver.on(path, (_request, response) => void response.writeHead(503, { 'retry-after': '2' }).end());
    await note();
    await delivery(id, ({ attempt_count }) => attempt_count > 0);
    expect((await owner.post(`${ENDPOINTS}/${id}/disable`)).body).toMatchObject({ status: 'disabled', disabled_reason: 'manual' });
    await note();
    receiver.on(path, (_request, response) => void response.end());
    expect((await owner.post(`${ENDPOINTS}/${id}/enable`)).body).toMatchObject({ status: 'enabled', disabled_reason: null });
    const before = got().length;
    const fresh = `fresh ${randomUUID()}`;
    await note(fresh);
    await eventually(
      async () => got(),
      (all) => all.length > before,
    );
    expect(
      got()
        .slice(before)
        .map(({ event }) => event.data.object.title),
    ).toEqual([fresh]);
  });

  test('is signed with every secret whose overlap was promised', async () => {
    const { id, secret, got } = await endpoint();
    const rolled = await owner.post(`${ENDPOINTS}/${id}/roll-secret`, { overlap_hours: 1 });
    expect(rolled.body.secret).toMatch(/^svc_whsec_/);
    await note();
    const [both] = await eventually(
      async () => got(),
      (all) => all.length > 0,
    );
    for (const valid of [secret, rolled.body.secret]) stripe.webhooks.constructEvent(both.body, both.headers['svc-signature'], valid);
    const final = await owner.post(`${ENDPOINTS}/${id}/roll-secret`, {});
    await note();
    const [, one] = await eventually(
      async () => got(),
      (all) => all.length > 1,
    );
    for (const valid of [secret, final.body.secret]) stripe.webhooks.constructEvent(one.body, one.headers['svc-signature'], valid);
    expect(() => stripe.webhooks.constructEvent(one.body, one.headers['svc-signature'], rolled.body.secret)).toThrow();
    const { rows } = await app.sql.query('SELECT secret FROM webhook_endpoints WHERE id = $1', [id]);
    expect(rows[0].secret.toString('latin1')).not.toContain(final.body.secret);
  });

  test('gets a test event that is sent to no other', async () => {
    const [wanted, other] = [await endpoint({ events: ['note.created'] }), await endpoint()];
    const sent = await owner.post(`${ENDPOINTS}/${wanted.id}/test`);
    expect([sent.status, sent.body.type]).toEqual([202, 'webhook_endpoint.tested']);
    const [got] = await eventually(
      async () => wanted.got(),
      (all) => all.length > 0,
    );
    expect(got.event).toMatchObject({ id: sent.body.event_id, data: { object: { id: wanted.id, url: receiver.url(wanted.path) } } });
    expect(other.got()).toEqual([]);
  });

  test.each([
    ['ftp://example.com', 'url'],
    ['http://10.0.0.1/x', 'url'],
    ['http://169.254.169.254/latest', 'url'],
    ['http://[::ffff:192.168.0.1]/', 'url'],
    ['http://u:p@example.com/', 'url'],
    ['http://0x7f.2/', 'url'],
    ['nonsense', 'url'],
  ])('cannot be set up for %s', async (url, param) => {
    const { status, body } = await owner.post(ENDPOINTS, { url, events: ['*'] });
    expect([status, body.error?.code, body.error?.param]).toEqual([400, 'validation_failed', param]);
  });

  test('subscribes only to existing events', async () => {
    const { body } = await owner.post(ENDPOINTS, { url: receiver.url(), events: ['note.exploded'] });
    expect(body.error).toMatchObject({
      code: 'validation_failed',
      param: 'events',
      allowed: expect.arrayContaining(['*', 'note.created']),
    });
    expect((await owner.get('/api/v1/org/developer/event-types')).body.data.map(({ type }: { type: string }) => type)).toEqual([
      'audit.recorded',
      'note.created',
      'webhook_endpoint.tested',
    ]);
    expect((await owner.get('/api/v1/org/developer/event-types?limit=1')).body).toMatchObject({
      data: [{ type: 'audit.recorded' }],
      has_more: true,
      next_cursor: expect.any(String),
    });
  });

  test('is a matter of a permission, and of one organization', async () => {
    const { id } = await endpoint();
    const member = await space.signIn((await space.member('member')).email);
    for (const path of [
      ENDPOINTS,
      DELIVERIES,
      '/api/v1/org/developer/events',
      '/api/v1/org/developer/event-types',
      '/api/v1/org/developer/mail-outbox',
    ])
      expect((await member.get(path)).status).toBe(403);
    const otherOwner = await (await app.workspace()).signIn();
    expect((await otherOwner.get(`${ENDPOINTS}/${id}`)).status).toBe(404);
    expect((await otherOwner.get(DELIVERIES)).body.data).toEqual([]);
  });

  test('that is deleted keeps its log', async () => {
    const { id, path } = await endpoint();
    receiver.on(path, (_request, response) => void response.writeHead(500).end());
    await note();
    await delivery(id, ({ attempt_count }) => attempt_count > 0);
    expect((await owner.delete(`${ENDPOINTS}/${id}`)).status).toBe(204);
    expect(await delivery(id, ({ status }) => status === 'failed')).toMatchObject({ status: 'failed' });
  });
});

test('every body that was delivered is what the OpenAPI document declares', async () => {
  expect(new Set(receiver.received.map(({ event }) => event.type))).toEqual(new Set(['note.created', 'webhook_endpoint.tested']));
  expect(await eventFaults(app.url, receiver.received)).toEqual([]);
});
