import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Json } from './api-document.js';
import { otherBody } from './bad-values.js';
import { expectRefusal } from './module-refusals.js';
import type { KeyedRoute } from './module-routes.js';
import type { Subject } from './module-world.js';

const AT_ONCE = 4;

/** A repeat with the same Idempotency-Key does nothing again. */
export function checkIdempotency(route: KeyedRoute, subject: () => Subject): void {
  if (route.method !== 'POST' && route.method !== 'PATCH') return;

  test('replays the answer of the same Idempotency-Key, and refuses the key with another body: 422 idempotency_key_reused', async () => {
    const it = subject();
    const client = await it.world.keys.good();
    const call = await it.world.call(route);
    const headers = { 'idempotency-key': randomUUID() };
    const first = await it.send(client, call, headers);
    expect([first.status, first.headers['idempotent-replayed']]).toEqual([route.endpoint.status, undefined]);
    const again = await it.send(client, call, headers);
    expect([again.status, again.headers['idempotent-replayed'], again.body]).toEqual([
      first.status,
      'true',
      first.text === '' ? first.body : { ...(first.body as Json), ...secretsOf(route) },
    ]);
    const other = route.hasBody && otherBody(it.world.api, it.operation, call.body ?? {});
    if (other)
      expectRefusal(it, 'another body', await it.send(client, it.with(call, { body: other }), headers), {
        status: 422,
        code: 'idempotency_key_reused',
        param: 'Idempotency-Key',
      });
  });

  test('runs once when the same Idempotency-Key comes several times at once', async () => {
    const it = subject();
    const client = await it.world.keys.good();
    const call = await it.world.call(route);
    const headers = { 'idempotency-key': randomUUID() };
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => it.send(client, call, headers)));
    const done = answers.filter(({ status }) => status === route.endpoint.status);
    expect(done.filter((answer) => answer.headers['idempotent-replayed'] === undefined)).toHaveLength(1);
    // a repetition that came after the end shows no secret again
    const shown = done.map(({ text, body }) => (text === '' ? text : JSON.stringify({ ...(body as Json), ...secretsOf(route) })));
    expect(new Set(shown).size).toBe(1);
    for (const answer of answers.filter((one) => !done.includes(one))) {
      expectRefusal(it, 'at once', answer, { status: 409, code: 'idempotency_in_progress', param: 'Idempotency-Key' });
      expect(answer.headers['retry-after']).toBe('1');
    }
  });

  test('refuses an Idempotency-Key that is none', async () => {
    const it = subject();
    const answer = await it.send(await it.world.keys.good(), await it.world.sameCall(route), { 'idempotency-key': 'x'.repeat(256) });
    expectRefusal(it, '256 characters', answer, { status: 400, code: 'validation_failed', param: 'Idempotency-Key' });
  });
}

/** What a repetition answers in the place of what is shown once. */
function secretsOf({ endpoint }: KeyedRoute): Json {
  return Object.fromEntries((endpoint.secrets ?? []).map((name) => [name, null]));
}
