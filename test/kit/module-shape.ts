import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { badBodies, badQueries, type BadInput } from './bad-values.js';
import type { Answer } from './client.js';
import { expectRefusal, refusalFaults } from './module-refusals.js';
import type { KeyedRoute } from './module-routes.js';
import type { Subject } from './module-world.js';

const MEBIBYTE = 1024 * 1024;

/** Bodies, queries and headers that are not as the document says. */
export function checkShape(route: KeyedRoute, subject: () => Subject): void {
  if (route.hasBody) checkBody(route, subject);
  checkQuery(route, subject);
  const isOne = route.path.includes('{') && ['PATCH', 'PUT', 'DELETE'].includes(route.method);
  if (isOne) checkIfMatch(route, subject);
}

function checkBody(route: KeyedRoute, subject: () => Subject): void {
  test('refuses each field that is absent, null, of a wrong type or out of bounds, and names it', async () => {
    const it = subject();
    const call = await it.world.sameCall(route);
    const bad = badBodies(it.world.api, it.operation, call.body ?? {});
    expect(await faultsOf(it, bad, async ({ input }) => it.send(await it.world.keys.good(), it.with(call, { body: input })))).toEqual([]);
    expect(bad.length).toBeGreaterThan(0);
  });

  test('refuses what is no JSON object, no JSON at all or too large', async () => {
    const it = subject();
    const call = await it.world.sameCall(route);
    const client = await it.world.keys.good();
    const raw = (body: string, type = 'application/json') =>
      client.send(route.method.toLowerCase(), call.path, body, { 'content-type': type });
    expect([
      ...(route.endpoint.bareList ? [] : refusalFaults(it, 'an array', await raw('[]'), { status: 400, code: 'invalid_body' })),
      ...refusalFaults(it, 'a text', await raw('"text"'), { status: 400, code: 'invalid_body' }),
      ...refusalFaults(it, 'broken JSON', await raw('{"a":'), { status: 400, code: 'invalid_body' }),
      ...refusalFaults(it, 'a form', await raw('a=1', 'application/x-www-form-urlencoded'), {
        status: 415,
        code: 'unsupported_media_type',
      }),
      ...refusalFaults(it, 'more than 1 MiB', await raw(`{"a":"${'x'.repeat(MEBIBYTE)}"}`), { status: 413, code: 'payload_too_large' }),
    ]).toEqual([]);
  });

  test('leaves unknown body fields without effect and names them in Svc-Ignored-Fields', async () => {
    const it = subject();
    const call = await it.world.call(route);
    const answer = await it.send(
      await it.world.keys.good(),
      it.with(call, { body: { ...call.body, organization_id: randomUUID(), no_such_field: 1 } }),
    );
    expect([answer.status, answer.headers['svc-ignored-fields']]).toEqual([route.endpoint.status, 'organization_id, no_such_field']);
  });
}

function checkQuery(route: KeyedRoute, subject: () => Subject): void {
  test('refuses an unknown query parameter and each known one with a bad value, and names it', async () => {
    const it = subject();
    const call = await it.world.sameCall(route);
    const bad = badQueries(it.world.api, it.operation);
    bad.push({ what: 'unknown', param: 'no_such_parameter', code: 'validation_failed', input: 'no_such_parameter=1' });
    // the sample's own value would make two of a parameter
    const bare = { ...call, args: call.body ?? {} };
    expect(await faultsOf(it, bad, async ({ input }) => it.send(await it.world.keys.good(), it.with(bare, { query: input })))).toEqual([]);
  });

  if (!route.hasCursor) return;
  test('refuses a cursor that was tampered with or comes from another list', async () => {
    const it = subject();
    const client = await it.world.keys.good();
    const call = await it.world.sameCall(route);
    const attempt = (query: string) => it.send(client, it.with(call, { query }));
    const invalid = { status: 400, code: 'invalid_cursor' };
    expectRefusal(it, 'no cursor at all', await attempt('cursor=abc'), invalid);
    const creation = it.world.routeAt('POST', route.path);
    if (!creation) return;
    for (let made = 0; made < 2; made++) await it.world.make(`${route.path}/{id}`, 'own', call.ids);
    const first = await attempt('limit=1');
    const cursor = first.body.next_cursor as string;
    expect([first.body.has_more, first.body.data.length, typeof cursor]).toEqual([true, 1, 'string']);
    const second = await attempt(`limit=1&cursor=${encodeURIComponent(cursor)}`);
    expect([second.status, second.body.data?.[0]?.id === first.body.data[0].id]).toEqual([200, false]);
    const swapped = `${cursor[0] === 'A' ? 'B' : 'A'}${cursor.slice(1)}`;
    expectRefusal(it, 'a changed cursor', await attempt(`limit=1&cursor=${encodeURIComponent(swapped)}`), invalid);
    expectRefusal(
      it,
      "another filter's cursor",
      await attempt(`limit=1&created_after=2000-01-01T00:00:00Z&cursor=${encodeURIComponent(cursor)}`),
      invalid,
    );
  });
}

function checkIfMatch(route: KeyedRoute, subject: () => Subject): void {
  test('refuses a stale or malformed If-Match, accepts the current one', async () => {
    const it = subject();
    const client = await it.world.keys.good();
    const call = await it.world.call(route);
    expectRefusal(it, 'a version that never was', await it.send(client, call, { 'if-match': '"999999"' }), {
      status: 412,
      code: 'version_conflict',
    });
    expectRefusal(it, 'no ETag', await it.send(client, call, { 'if-match': 'latest' }), {
      status: 400,
      code: 'validation_failed',
      param: 'If-Match',
    });
    expect((await it.send(client, call, { 'if-match': '"1"' })).status).toBe(route.endpoint.status);
  });
}

async function faultsOf<T>(it: Subject, bad: readonly BadInput<T>[], send: (bad: BadInput<T>) => Promise<Answer>): Promise<string[]> {
  const faults: string[] = [];
  for (const one of bad) {
    const what = `${one.param} ${one.what}`;
    const answer = await send(one);
    faults.push(...refusalFaults(it, what, answer, { status: 400, code: one.code, param: one.param }));
    const allowed = answer.body?.error?.allowed as string[] | undefined;
    if (one.allowed && JSON.stringify(allowed) !== JSON.stringify(one.allowed))
      faults.push(`${what}: allowed is ${JSON.stringify(allowed)} instead of ${JSON.stringify(one.allowed)}`);
  }
  return faults;
}
