import { afterAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import Stripe from 'stripe';
import { eventually } from '../../../test/harness/eventually.js';
import { NOTES, sharedNotesApp } from '../../../test/harness/fixtures/fixture-apps.js';
import { Receiver } from '../../../test/harness/receiver.js';

const ENDPOINTS = '/api/v1/org/developer/webhook-endpoints';
const stripe = new Stripe('sk_test_unused');

const receiver = await Receiver.start();
const app = await sharedNotesApp();
const space = await app.workspace();
const owner = await space.signIn();
const key = await space.key();

afterAll(() => receiver.stop());

async function note(title = `n ${randomUUID()}`, by = key, project_id = space.eng.id): Promise<string> {
  const answer = await by.client.post(NOTES, { project_id, title });
  expect(answer.status).toBe(201);
  return answer.body.id as string;
}

describe('keys of the module developer', () => {
  const EXT = '/api/v1/ext/developer';
  const developer = async (values: object = {}) => (await space.key({ module: 'developer', mode: 'test', ...values })).client;
  const inTestMode = () => space.key({ mode: 'test' });

  test('read the events of their mode and project by sequence', async () => {
    const [all, pinned] = await Promise.all([developer(), developer({ project_id: space.ops.id })]);
    const by = await inTestMode();
    await note();
    const ids = [await note(undefined, by), await note(undefined, by, space.ops.id), await note(undefined, by)];
    // an event is hidden while a transaction with an earlier sequence runs, also one of another test file's suite
    const recorded = () => all.get(`${EXT}/events?type=note.*&limit=100`).then(({ body }) => body.data as unknown[]);
    await eventually(recorded, ({ length }) => length >= 3);
    const { body } = await all.get(`${EXT}/events?type=note.*&limit=2`);
    const rest = await all.get(`${EXT}/events?type=note.*&after_sequence=${body.data[1].sequence}&limit=100`);
    const next = await all.get(`${EXT}/events?type=note.*&limit=2&cursor=${body.next_cursor}`);
    expect(next.body.data).toEqual(rest.body.data.slice(0, 2));
    const events = [...body.data, ...rest.body.data];
    expect(events.map(({ data }) => data.object.id)).toEqual(expect.arrayContaining(ids));
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map(({ sequence }) => sequence).sort((a, b) => a - b));
    expect(new Set(events.map(({ mode }) => mode))).toEqual(new Set(['test']));
    const ofProject = (await pinned.get(`${EXT}/events?limit=100`)).body.data;
    expect(ofProject.map(({ data }: { data: { object: { id: string } } }) => data.object.id)).toEqual([ids[1]]);
    expect(await all.get(`${EXT}/events?type=nothing.*`)).toMatchObject({ status: 400, body: { error: { param: 'type' } } });
  });

  /** Events as they are recorded within open transactions. */
  async function recording() {
    const connection = await app.sql.connect();
    await connection.query('BEGIN; SELECT pg_current_xact_id()');
    return {
      emit: (title: string) =>
        connection.query(
          `WITH drawn AS (SELECT nextval('outbox_events_sequence') AS n)
           INSERT INTO outbox_events (id, sequence, organization_id, project_id, mode, type, body, created_at)
           SELECT gen_random_uuid(), n, $1, $2, 'test', 'note.created', json_build_object('sequence', n, 'title', $3::text), now()
           FROM drawn`,
          [space.organizationId, space.ops.id, title],
        ),
      commit: () => connection.query('COMMIT'),
      // also after a failure
      close: () => connection.release(true),
    };
  }

  test('never read past an event that can still appear, in whatever order transactions began and commit', async () => {
    const client = await developer({ project_id: space.ops.id });
    const [{ sequence: last = 0 } = {}] = (await client.get(`${EXT}/events?sort=-sequence&limit=1`)).body.data;
    const titles = async () =>
      (await client.get(`${EXT}/events?after_sequence=${last}`)).body.data.map(({ title }: { title: string }) => title);
    const first = await recording();
    const second = await recording();
    try {
      await second.emit('drawn first');
      await first.emit('drawn second');
      await first.commit();
      expect(await titles()).toEqual([]);
      await second.commit();
      expect(await eventually(titles, ({ length }) => length > 0)).toEqual(['drawn first', 'drawn second']);
    } finally {
      first.close();
      second.close();
    }
  });

  test('set up endpoints, which recover what was not written while they were disabled', async () => {
    const client = await developer();
    const created = await client.post(`${EXT}/webhook-endpoints`, { url: receiver.url('/recovery'), events: ['note.*'] });
    expect(created).toMatchObject({ status: 201, body: { mode: 'test', events: ['note.*'], secret: expect.any(String) } });
    const { id } = created.body;
    const deliveries = () =>
      client.get(`${EXT}/deliveries?endpoint_id=${id}`).then(({ body }) => body.data.map((row: { event_id: string }) => row.event_id));
    const by = await inTestMode();
    await note(undefined, by);
    expect(await deliveries()).toHaveLength(1);
    await owner.post(`${ENDPOINTS}/${id}/disable`);
    await note(undefined, by);
    const recover = () => client.post(`${EXT}/webhook-endpoints/${id}/recover?since=2020-01-01T00:00:00Z`);
    expect(await recover()).toMatchObject({ status: 409 });
    await owner.post(`${ENDPOINTS}/${id}/enable`);
    expect(await recover()).toMatchObject({ status: 200, body: { count: 1, has_more: false } });
    expect(await recover()).toMatchObject({ status: 200, body: { count: 0 } });
    expect(new Set(await deliveries()).size).toBe(2);
  });

  test('set up endpoints with headers and a filter, roll their secrets and send test events', async () => {
    const client = await developer();
    const filter = { 'data.object.title': ['wanted', 'also wanted'] };
    const values = { url: receiver.url('/filtered'), events: ['note.*'], filter, headers: { 'X-Api-Key': 'k-of-receiver' } };
    const created = await client.post(`${EXT}/webhook-endpoints`, values);
    expect(created).toMatchObject({ status: 201, body: { filter, header_names: ['X-Api-Key'], max_per_minute: null } });
    const path = `${EXT}/webhook-endpoints/${created.body.id}`;
    expect(created.text + (await client.get(path)).text).not.toContain('k-of-receiver');
    const { rows } = await app.sql.query('SELECT headers FROM webhook_endpoints WHERE id = $1', [created.body.id]);
    expect(rows[0].headers.toString('latin1')).not.toContain('k-of-receiver');

    const by = await inTestMode();
    await note('unwanted', by);
    await note('wanted', by);
    const arrived = (count: number) =>
      eventually(
        async () => receiver.at('/filtered'),
        ({ length }) => length >= count,
      );
    expect((await arrived(1)).map(({ event, headers }) => [event.data.object.title, headers['x-api-key']])).toEqual([
      ['wanted', 'k-of-receiver'],
    ]);
    const rolled = await client.post(`${path}/roll-secret`);
    expect(rolled).toMatchObject({ status: 200, body: { secret: expect.stringMatching(/^svc_whsec_/) } });
    expect(rolled.body.secret).not.toBe(created.body.secret);
    const sent = await client.post(`${path}/test`);
    expect(sent).toMatchObject({ status: 202, body: { type: 'webhook_endpoint.tested' } });
    const [, tested] = await arrived(2);
    expect(tested.eventId).toBe(sent.body.event_id);
    expect(stripe.webhooks.constructEvent(tested.body, tested.headers['svc-signature'], rolled.body.secret)).toBeDefined();

    expect(await client.patch(path, { filter: null, headers: {} })).toMatchObject({
      status: 200,
      body: { filter: null, header_names: [] },
    });
    await note('unwanted before', by);
    const [, , last] = await arrived(3);
    expect([last.event.data.object.title, last.headers['x-api-key']]).toEqual(['unwanted before', undefined]);
  });

  test.each([
    [{ filter: { 'data.object.titel': ['x'] } }, 'filter.data.object.titel', ['data.object.title']],
    [{ filter: { 'data.object.title': 'x' } }, 'filter.data.object.title', undefined],
    [{ headers: { 'svc-signature': 'x' } }, 'headers.svc-signature', undefined],
    [{ headers: { 'Content-Length': '1' } }, 'headers.Content-Length', undefined],
    [{ headers: { Host: 'x' } }, 'headers.Host', undefined],
    [{ headers: { 'X-Key': 'x\r\nHost: y' } }, 'headers.X-Key', undefined],
  ])('cannot set up an endpoint with %j', async (values, param, allowed) => {
    const answer = await (await developer()).post(`${EXT}/webhook-endpoints`, { url: receiver.url(), events: ['note.*'], ...values });
    expect([answer.status, answer.body.error.code, answer.body.error.param]).toEqual([400, 'validation_failed', param]);
    if (allowed) expect(answer.body.error.allowed).toEqual(expect.arrayContaining(allowed));
  });

  test('set a rate for an endpoint, over which deliveries wait', async () => {
    const values = { url: receiver.url('/rated'), events: ['note.*'], max_per_minute: 120 };
    const { body } = await (await developer()).post(`${EXT}/webhook-endpoints`, values);
    const by = await inTestMode();
    await Promise.all(Array.from({ length: 6 }, () => note(undefined, by)));
    const got = await eventually(
      async () => receiver.at('/rated'),
      ({ length }) => length === 6,
    );
    // two at once, then one every half a second
    expect(got[5].at - got[0].at).toBeGreaterThanOrEqual(1_500);
    expect(body.max_per_minute).toBe(120);
  });

  test('see no endpoints of the other mode or of other projects', async () => {
    const [pinned, live] = await Promise.all([developer({ project_id: space.ops.id }), developer({ mode: 'live' })]);
    const { body } = await owner.post(ENDPOINTS, { url: receiver.url('/hidden'), events: ['*'], mode: 'test' });
    for (const client of [pinned, live])
      for (const answer of [
        await client.get(`${EXT}/webhook-endpoints/${body.id}`),
        await client.patch(`${EXT}/webhook-endpoints/${body.id}`, { events: ['note.created'] }),
        await client.delete(`${EXT}/webhook-endpoints/${body.id}`),
      ])
        expect(answer.status).toBe(404);
    const refused = await pinned.post(`${EXT}/webhook-endpoints`, { url: receiver.url(), events: ['*'], project_id: space.eng.id });
    expect(refused).toMatchObject({ status: 403, body: { error: { param: 'project_id' } } });
  });
});
