import { expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { eventually } from '../../../test/harness/eventually.js';
import { NOTES, sharedNotesApp, startNotesApp } from '../../../test/harness/fixtures/fixture-apps.js';
import type { IssuedKey } from '../../../test/harness/workspace.js';
import { EventStream, type StreamFilter } from './event-stream.js';

const STREAM = '/api/v1/ext/developer/events/stream';

const app = await sharedNotesApp();
const space = await app.workspace();
const writer = await space.key({ mode: 'test' });
const developer = (values: object = {}) => space.key({ module: 'developer', mode: 'test', ...values });

interface Message {
  event?: string;
  id?: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests assert properties instead of declaring types
  data: any;
}

async function note(title: string, project_id = space.eng.id): Promise<void> {
  expect((await writer.client.post(NOTES, { project_id, title })).status).toBe(201);
}

/** The messages of a stream, without comments. */
async function* messages(key: IssuedKey, query = '', headers: Record<string, string> = {}): AsyncGenerator<Message> {
  const abort = new AbortController();
  const response = await fetch(`${app.url}${STREAM}${query}`, { headers: { ...key.client.headers, ...headers }, signal: abort.signal });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  try {
    let text = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const blocks = text.split('\n\n');
      text = blocks.pop()!;
      for (const block of blocks) {
        const fields = Object.fromEntries(block.split('\n').map((line) => [line.split(': ', 1)[0], line.slice(line.indexOf(': ') + 2)]));
        if (fields.data !== undefined || fields.retry !== undefined) yield { ...fields, data: JSON.parse(fields.data ?? 'null') };
      }
    }
  } finally {
    abort.abort();
  }
}

/** A stream that is open: the first message has its start. */
async function opened(key: IssuedKey, query?: string, headers?: Record<string, string>) {
  const stream = messages(key, query, headers);
  const start = Number((await stream.next()).value!.id);
  const next = async () => (await stream.next()).value as Message;
  return { start, next, title: async () => (await next()).data.data.object.title as string, close: () => stream.return(undefined) };
}

test('a stream has the events of its key from now on, and continues after the last one that the client has', async () => {
  const key = await developer();
  await note('before');
  const stream = await opened(key);
  const ofProject = await opened(await developer({ project_id: space.ops.id }), `?after_sequence=${stream.start}&type=note.*`);
  await note('one');
  await note('two', space.ops.id);
  const first = await stream.next();
  expect(first).toMatchObject({ data: { object: 'event', type: 'note.created', mode: 'test', data: { object: { title: 'one' } } } });
  expect(first.id).toBe(String(first.data.sequence));
  expect([await stream.title(), await ofProject.title()]).toEqual(['two', 'two']);
  await Promise.all([stream.close(), ofProject.close()]);

  await note('three');
  const [resumed, filtered] = await Promise.all([
    opened(key, '?after_sequence=0', { 'Last-Event-ID': first.id! }),
    opened(key, `?after_sequence=${first.id}&project_id=${space.eng.id}`),
  ]);
  expect([await resumed.title(), await resumed.title(), await filtered.title()]).toEqual(['two', 'three', 'three']);
  await Promise.all([resumed.close(), filtered.close()]);
});

test('a backlog of more events than one read returns arrives whole and in order', async () => {
  const after = (await app.sql.query(`SELECT nextval('outbox_events_sequence') AS last`)).rows[0].last;
  await app.sql.query(
    `INSERT INTO outbox_events (id, sequence, organization_id, project_id, mode, type, body)
     SELECT gen_random_uuid(), n, $1, $2, 'test', 'note.created', json_build_object('sequence', n)
     FROM (SELECT nextval('outbox_events_sequence') AS n FROM generate_series(1, 450)) AS drawn`,
    [space.organizationId, space.ops.id],
  );
  const stream = await opened(await developer({ project_id: space.ops.id }), `?after_sequence=${after}`);
  const sequences = [];
  for (let n = 0; n < 450; n++) sequences.push((await stream.next()).data.sequence as number);
  expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
  expect(new Set(sequences).size).toBe(450);
  await stream.close();
});

test('a stream ends when its key is revoked, or its member loses a permission', async () => {
  const owner = await space.signIn();
  // the second one is that of the audit log's event: a key reads all events
  const permissions = ['org.developer.webhooks.manage', 'org.audit.view'];
  const role = await owner.post('/api/v1/org/roles', { name: `r${randomUUID()}`, permissions });
  const member = await space.member(role.body.name);
  const [revoked, bound] = await Promise.all([developer(), developer({ actor_user_id: member.id })]);
  const [ofRevoked, ofBound] = await Promise.all([opened(revoked), opened(bound)]);
  expect((await owner.post(`/api/v1/org/developer/api-keys/${revoked.id}/revoke`)).status).toBe(200);
  expect((await owner.patch(`/api/v1/org/roles/${role.body.id}`, { permissions: [] })).status).toBe(200);
  await note('not for them');
  expect(await ofRevoked.next()).toMatchObject({ event: 'end', data: { code: 'api_key_revoked' } });
  expect(await ofBound.next()).toMatchObject({ event: 'end', data: { code: 'permission_denied' } });
  expect([await ofRevoked.next(), await ofBound.next()]).toEqual([undefined, undefined]);
});

test('a process that shuts down ends its streams at once, those of MCP clients as well', async () => {
  const closing = await startNotesApp({ databaseUrl: app.databaseUrl });
  const mcp = await fetch(`${closing.url}/api/v1/ext/mcp`, {
    headers: { ...writer.client.headers, accept: 'text/event-stream', 'mcp-protocol-version': '2025-11-25' },
  });
  const events = await fetch(`${closing.url}${STREAM}`, { headers: (await developer()).client.headers });
  expect([mcp.status, events.status]).toEqual([200, 200]);
  const texts = Promise.all([mcp.text(), events.text()]);
  const startedAt = performance.now();
  await closing.close();
  // far less than a heartbeat, which open streams outlast
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  const [ofMcp, ofEvents] = await texts;
  expect(ofMcp).toMatch(/^retry: /);
  expect(ofEvents).toContain('"code":"unavailable"');
});

test('the end of a stream whose reader has stopped closes it: nothing waits for the rest', async () => {
  const key = { id: 'key', organizationId: 'organization', authorization: undefined, address: '127.0.0.1' };
  const filter: StreamFilter = { organizationId: 'organization', mode: 'test', pin: null, projects: undefined, types: undefined };
  const stream = new EventStream(key, filter, 0, () => undefined);
  for (let n = 1; !stream.isFull; n++) stream.send(n, null, 'x'.repeat(10_000));
  stream.end({ code: 'unavailable', message: 'This process is shutting down; connect again.' });
  expect(stream.readable.destroyed).toBe(true);
});

test('a key has a few streams at once; one that the client closes makes room', async () => {
  const key = await developer();
  const open = await Promise.all(Array.from({ length: 5 }, () => opened(key)));
  const refused = await key.client.get(STREAM);
  expect(refused).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } }, headers: { 'retry-after': '5' } });
  await Promise.all(open.map(({ close }) => close()));
  // the service learns of a closed connection a moment later
  await eventually(
    async () => (await key.client.send('head', STREAM)).status,
    (status) => status === 200,
  );
  await (await opened(key)).close();
});

test.each([
  ['?type=nothing.*', {}, 'type'],
  ['', { 'last-event-id': 'abc' }, 'Last-Event-ID'],
])('a stream is refused with %s and %j', async (query, headers, param) => {
  expect(await (await developer()).client.get(`${STREAM}${query}`, headers)).toMatchObject({ status: 400, body: { error: { param } } });
});
