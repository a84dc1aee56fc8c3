import { UUIDS } from './module-rows.js';
import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Client } from '../../harness/client.js';
import { deletionFaults } from './module-deletions.js';
import { expectAnswer, expectError, errorFaults } from './module-errors.js';
import { parametersOf, type KeyedRoute } from './module-routes.js';
import type { Call, Subject } from './module-context.js';
import { Refusals, type Refusal } from './module-refusals.js';
import { SampleFile } from './module-samples.js';

const MEBIBYTE = 1024 * 1024;

/** Checks that bodies, queries and headers that violate the OpenAPI document are rejected, and what a valid call may have besides. */
export function checkValidation(route: KeyedRoute, subject: () => Subject): void {
  if (route.hasBody) checkBody(route, subject);
  if (route.endpoint.upload) checkUpload(route, subject);
  checkQuery(route, subject);
  checkAccepted(route, subject);
}

function checkBody(route: KeyedRoute, subject: () => Subject): void {
  test('rejects each field that is missing, null, of a wrong type or out of bounds, and names it', async () => {
    const it = subject();
    const refusals = await Refusals.of(it).bodies();
    expect(faultsOf(it, refusals)).toEqual([]);
    expect(refusals.length).toBeGreaterThan(0);
  });

  test('rejects a body that is not a JSON object, not JSON or too large', async () => {
    const it = subject();
    const call = await it.context.sameCall(route);
    const client = await it.context.keys.good();
    const raw = (body: string, type = 'application/json') =>
      client.send(route.method.toLowerCase(), call.path, body, { 'content-type': type });
    expect([
      ...(route.endpoint.bareList ? [] : errorFaults(it, 'an array', await raw('[]'), { status: 400, code: 'invalid_body' })),
      ...errorFaults(it, 'a text', await raw('"text"'), { status: 400, code: 'invalid_body' }),
      ...errorFaults(it, 'broken JSON', await raw('{"a":'), { status: 400, code: 'invalid_body' }),
      ...errorFaults(it, 'a form', await raw('a=1', 'application/x-www-form-urlencoded'), {
        status: 415,
        code: 'unsupported_media_type',
      }),
      ...errorFaults(it, 'more than 1 MiB', await raw(`{"a":"${'x'.repeat(MEBIBYTE)}"}`), { status: 413, code: 'payload_too_large' }),
    ]).toEqual([]);
  });
}

function checkUpload(route: KeyedRoute, subject: () => Subject): void {
  test('rejects a file that is empty or of another media type', async () => {
    const it = subject();
    const call = await it.context.sameCall(route);
    const client = await it.context.keys.good();
    const attempt = (type: string, text: string) => it.send(client, it.with(call, { file: new SampleFile(type, text) }));
    expect([
      ...errorFaults(it, 'an empty file', await attempt(call.file!.contentType, ''), {
        status: 400,
        code: 'missing_fields',
        param: 'body',
      }),
      ...errorFaults(it, 'no file', await it.send(client, { ...call, body: undefined, file: undefined }), {
        status: 400,
        code: 'missing_fields',
        param: 'body',
      }),
      ...errorFaults(it, 'another media type', await attempt('application/x-unknown', 'x'), {
        status: 415,
        code: 'unsupported_media_type',
        param: 'Content-Type',
      }),
    ]).toEqual([]);
  });
}

function checkQuery(route: KeyedRoute, subject: () => Subject): void {
  test('rejects an unknown query parameter and each known one with an invalid value, and names it', async () => {
    const it = subject();
    expect(faultsOf(it, await Refusals.of(it).queries())).toEqual([]);
  });

  if (!route.hasCursor) return;
  test('pages on with a cursor, and rejects one that was modified or is from another list', async () => {
    const it = subject();
    const client = await it.context.keys.good();
    const call = await it.context.sameCall(route);
    const attempt = (query: string) => it.send(client, it.with(call, { query }));
    const invalid = { status: 400, code: 'invalid_cursor' };
    expectError(it, 'no cursor at all', await attempt('cursor=abc'), invalid);
    const creation = it.context.routeAt('POST', route.path);
    if (!creation) return;
    for (let made = 0; made < 2; made++) await it.context.make(`${route.path}/{id}`, 'own', call.ids);
    const first = await attempt('limit=1');
    expectAnswer(first, 200, 'limit=1');
    const cursor = first.body.next_cursor as string;
    expect([first.body.has_more, first.body.data.length, typeof cursor]).toEqual([true, 1, 'string']);
    const second = await attempt(`limit=1&cursor=${encodeURIComponent(cursor)}`);
    expectAnswer(second, 200, 'the next page');
    expect([second.body.data.length, second.body.data[0]?.id === first.body.data[0].id]).toEqual([1, false]);
    expect(await nextPageFaults(it, second.text)).toEqual([]);
    const swapped = `${cursor[0] === 'A' ? 'B' : 'A'}${cursor.slice(1)}`;
    expectError(it, 'a changed cursor', await attempt(`limit=1&cursor=${encodeURIComponent(swapped)}`), invalid);
    expectError(
      it,
      "another filter's cursor",
      await attempt(`limit=1&created_after=2000-01-01T00:00:00Z&cursor=${encodeURIComponent(cursor)}`),
      invalid,
    );
  });
}

/** What the page after a cursor has that an organization-wide key must not see. */
export async function nextPageFaults({ context, operation }: Subject, text: string): Promise<string[]> {
  const hidden = await context.places.hidden(text.match(UUIDS) ?? [], context.viewer('another organization'));
  return [...hidden].map(
    (id) =>
      `${operation.id} with cursor shows a row of another organization or mode: ${id}; restrict each page as the first, see store.page`,
  );
}

/** One call has all that a valid call may have besides what its sample says. */
function checkAccepted(route: KeyedRoute, subject: () => Subject): void {
  const parameters = parametersOf(route.path);
  const isOne = parameters.length > 0 && ['PATCH', 'PUT', 'DELETE'].includes(route.method);
  const removes = route.method === 'DELETE' && route.path.endsWith('}');
  const accepted = [
    ...(parameters.length > 0 ? ['ids in upper case'] : []),
    ...(route.hasBody ? ['unknown body fields, which it names in Svc-Ignored-Fields'] : []),
    ...(isOne ? ['the current version as If-Match, but no other'] : []),
  ];
  if (accepted.length === 0) return;
  test(`accepts ${accepted.join(', ')}${removes ? '; no read shows the row then' : ''}`, async () => {
    const it = subject();
    const client = await it.context.keys.good();
    const call = await it.context.call(route);
    if (isOne) await expectMatching(it, client, call);
    const ids = Object.fromEntries(Object.entries(call.ids).map(([name, id]) => [name, id.toUpperCase()]));
    const body = route.hasBody ? { ...call.body, organization_id: randomUUID(), no_such_field: 1 } : undefined;
    const headers = isOne ? { 'if-match': `"${it.context.newVersion(route.path)}"` } : undefined;
    const send = async () => {
      const response = await it.send(client, it.with(call, { ids, body }), headers);
      expectAnswer(response, route.endpoint.status, accepted.join(', '));
      if (body) expect(response.headers['svc-ignored-fields']).toBe('organization_id, no_such_field');
    };
    if (removes) expect(await deletionFaults(it, call, send)).toEqual([]);
    else await send();
  });
}

async function expectMatching(it: Subject, client: Client, call: Call): Promise<void> {
  expectError(it, 'a version that never was', await it.send(client, call, { 'if-match': '"999999"' }), {
    status: 412,
    code: 'version_conflict',
  });
  expectError(it, 'no ETag', await it.send(client, call, { 'if-match': 'latest' }), {
    status: 400,
    code: 'validation_failed',
    param: 'If-Match',
  });
}

function faultsOf(it: Subject, refusals: readonly Refusal[]): string[] {
  const faults: string[] = [];
  for (const { faults: sent, answer } of refusals) {
    const what = sent.map(({ param, what: kind }) => `${param} ${kind}`).join(', ');
    const { param, allowed } = (answer.body?.error ?? {}) as { param?: string; allowed?: string[] };
    // absent fields come first
    const named = sent.find((fault) => fault.code === 'missing_fields') ?? sent.find((fault) => fault.param === param) ?? sent[0];
    const isNamed = sent.some((fault) => fault.param === param && fault.code === named.code);
    faults.push(...errorFaults(it, what, answer, { status: 400, code: named.code, param: isNamed ? param : named.param }));
    const wanted = sent.find((fault) => fault.param === param)?.allowed;
    if (wanted && JSON.stringify(allowed) !== JSON.stringify(wanted))
      faults.push(`${what}: allowed is ${JSON.stringify(allowed)} instead of ${JSON.stringify(wanted)}`);
  }
  return faults;
}
