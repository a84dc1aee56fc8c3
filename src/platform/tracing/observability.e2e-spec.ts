import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '../../../test/harness/client.js';
import { eventually } from '../../../test/harness/eventually.js';
import { NOTES, ownNotesApp } from '../../../test/harness/fixtures/fixture-apps.js';
import { OtlpReceiver } from '../../../test/harness/otlp-receiver.js';
import { Receiver } from '../../../test/harness/receiver.js';

type Line = Record<string, unknown>;

const collector = await OtlpReceiver.start();
afterAll(() => collector.stop());
const app = await ownNotesApp({
  env: {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    LOG_LEVEL: 'info',
    LOG_REQUESTS: 'yes',
    SLOW_REQUEST_MS: '100',
    SLOW_STATEMENT_MS: '100',
    QUEUE_RECONCILE_MS: '200',
  },
});
const WAITS_LONG = `SELECT FROM pg_stat_activity
  WHERE wait_event_type = 'Lock' AND datname = current_database() AND query_start < now() - interval '120 ms'`;
const space = await app.workspace();
const log = app.inside<typeof import('../../../test/harness/log-lines.js')>('test/harness/log-lines.ts');
const tracing = app.inside<typeof import('./tracing.js')>('src/platform/tracing/tracing.ts');
const receiver = await Receiver.start();
afterAll(() => receiver.stop());
beforeAll(() => log.keepLines());

const lines = async (): Promise<Line[]> => [...(await log.keptLines()).matchAll(/.+\n/g)].map(([line]) => JSON.parse(line) as Line);
const find = (fields: Line) =>
  eventually(lines, (all) => all.some((line) => matches(line, fields))).then((all) => all.find((line) => matches(line, fields))!);
const matches = (line: Line, fields: Line) => Object.entries(fields).every(([name, value]) => line[name] === value);

test('each request, delivery and slow statement is a line that names its caller, without secrets', async () => {
  const owner = await space.signIn();
  const { path, secret: signing } = await receiver.subscribe(owner);
  const { client, secret, id: keyId } = await space.key();
  const created = await client.post(NOTES, { project_id: space.eng.id, title: 'a title of the caller' });
  const of = { request_id: created.headers['request-id'], via: 'rest', organization_id: space.organizationId, key_id: keyId, route: NOTES };
  expect(await find({ ...of, context: 'Requests' })).toMatchObject({ method: 'POST', status: 201, bytes: created.text.length });
  const params = { name: 'get_note', arguments: { id: created.body.id } };
  await client.post('/api/v1/ext/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  await find({ via: 'mcp', tool: 'get_note', route: `${NOTES}/{id}`, key_id: keyId, status: 200 });
  const unknown = await new Client(app.url).get('/links/a-secret-of-a-link?token=another', { Authorization: 'Bearer a-wrong-key' });
  await find({ request_id: unknown.headers['request-id'], route: null, status: 404, code: 'not_found' });

  // a statement that waits for a lock is slow
  const locking = await app.sql.connect();
  await locking.query('BEGIN');
  await locking.query('SELECT FROM notes_fixture WHERE id = $1 FOR UPDATE', [created.body.id]);
  const changed = client.patch(`${NOTES}/${created.body.id}`, { title: 'another title' });
  await eventually(
    () => app.sql.query(WAITS_LONG),
    ({ rowCount }) => rowCount === 1,
  );
  await locking.query('ROLLBACK');
  locking.release();
  const request_id = (await changed).headers['request-id'];
  const slow = await find({ context: 'Requests', level: 'warn', request_id });
  expect(slow).toMatchObject({ message: `Slow request: PATCH ${NOTES}/{id}`, status: 200 });
  const statements = (await lines()).filter((line) => line.context === 'Statements' && line.request_id === request_id);
  expect(statements).toContainEqual(
    expect.objectContaining({ operation: `PATCH ${NOTES}/{id}`, statement: expect.stringMatching(/SELECT .*\$1.* FOR UPDATE/) as unknown }),
  );

  const delivered = { context: 'Work', message: 'webhook delivery', outcome: 'delivered', organization_id: space.organizationId };
  expect(await find(delivered)).toMatchObject({ attempt: 1, event_id: receiver.at(path)[0].eventId, level: 'info' });
  const all = await log.keptLines();
  for (const hidden of [secret, signing, 'a-secret-of-a-link', 'another', 'a-wrong-key', 'a title of the caller', 'another title', path])
    expect(all).not.toContain(hidden);
});

test('a request, its transaction, its statements and what follows are one trace', async () => {
  const owner = await space.signIn();
  const { path, id: endpoint } = await receiver.subscribe(owner);
  const { client, secret } = await space.key();
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  const traceparent = `00-${trace}-00f067aa0ba902b7-01`;
  const { body, headers } = await client.post(NOTES, { project_id: space.eng.id, title: 'traced' }, { traceparent });
  const [delivery] = await eventually(
    async () => receiver.at(path),
    ({ length }) => length === 1,
  );
  const params = { name: 'get_note', arguments: { id: body.id } };
  await client.post('/api/v1/ext/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, { traceparent });
  expect(await find({ request_id: headers['request-id'], context: 'Requests' })).toMatchObject({ trace_id: trace });

  const names = [`POST ${NOTES}`, 'transaction', 'postgresql', 'webhook delivery', 'tools/call get_note', `GET ${NOTES}/{id}`];
  const spans = await eventually(
    async () => {
      await tracing.flushSpans();
      return collector.spans.filter(({ traceId }) => traceId === trace);
    },
    (all) =>
      names.every((name) => all.some((span) => span.name === name)) &&
      all.some(({ attributes }) => attributes['work_suite.endpoint_id'] === endpoint),
  );
  const span = (name: string) => spans.find((one) => one.name === name)!;
  const [request, transaction, , , call, routed] = names.map(span);
  const sent = spans.find(({ attributes }) => attributes['work_suite.endpoint_id'] === endpoint)!;
  expect(request).toMatchObject({ kind: 2, parentSpanId: '00f067aa0ba902b7' });
  expect(request.attributes).toMatchObject({ 'http.route': NOTES, 'http.response.status_code': 201, 'work_suite.via': 'rest' });
  expect(transaction.parentSpanId).toBe(request.spanId);
  expect(spans).toContainEqual(
    expect.objectContaining({
      parentSpanId: transaction.spanId,
      attributes: expect.objectContaining({
        'db.query.text': expect.stringContaining('INSERT INTO "notes_fixture"') as unknown,
      }) as unknown,
    }),
  );
  expect(sent).toMatchObject({ parentSpanId: transaction.spanId, attributes: { 'work_suite.outcome': 'delivered' } });
  expect(delivery.headers.traceparent).toBe(`00-${trace}-${sent.spanId}-01`);
  expect([call.parentSpanId, routed.parentSpanId]).toEqual(['00f067aa0ba902b7', call.spanId]);
  for (const hidden of [secret, 'traced', path]) expect(collector.text).not.toContain(hidden);
});
