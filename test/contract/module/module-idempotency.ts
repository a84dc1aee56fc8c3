import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Json } from '../../harness/api-document.js';
import { otherBody } from './invalid-values.js';
import { expectAnswer, expectError } from './module-errors.js';
import type { KeyedRoute } from './module-routes.js';
import type { Call, Subject } from './module-context.js';
import { SampleFile } from './module-samples.js';

const AT_ONCE = 3;

/** Checks that a repeat with the same Idempotency-Key has no effect. */
export function checkIdempotency(route: KeyedRoute, subject: () => Subject): void {
  if (route.method !== 'POST' && route.method !== 'PATCH') return;

  test('executes requests with one Idempotency-Key once, also at once, and rejects another body: 422 idempotency_key_reused', async () => {
    const it = subject();
    const client = await it.context.keys.good();
    const call = await it.context.call(route);
    const headers = { 'idempotency-key': randomUUID() };
    const responses = await Promise.all(Array.from({ length: AT_ONCE }, () => it.send(client, call, headers)));
    const done = responses.filter(({ status }) => status === route.endpoint.status);
    for (const response of responses.filter((one) => !done.includes(one))) {
      expectError(it, 'at once', response, { status: 409, code: 'idempotency_in_progress', param: 'Idempotency-Key' });
      expect(response.headers['retry-after']).toBe('1');
    }
    expect(done.filter((response) => response.headers['idempotent-replayed'] === undefined)).toHaveLength(1);
    const again = await it.send(client, call, headers);
    expectAnswer(again, route.endpoint.status, 'the repeat');
    expect(again.headers['idempotent-replayed']).toBe('true');
    // a repeat after the end does not return the secret
    const shown = [...done, again].map(({ text, body }) =>
      text === '' ? text : JSON.stringify({ ...(body as Json), ...secretsOf(route) }),
    );
    expect(new Set(shown).size).toBe(1);
    const other = otherCall(it, call);
    if (other)
      expectError(it, 'another body', await it.send(client, other, headers), {
        status: 422,
        code: 'idempotency_key_reused',
        param: 'Idempotency-Key',
      });
  });

  test('rejects an invalid Idempotency-Key', async () => {
    const it = subject();
    const response = await it.send(await it.context.keys.good(), await it.context.sameCall(route), { 'idempotency-key': 'x'.repeat(256) });
    expectError(it, '256 characters', response, { status: 400, code: 'validation_failed', param: 'Idempotency-Key' });
  });
}

function otherCall(it: Subject, call: Call): Call | null {
  if (call.file) return it.with(call, { file: new SampleFile(call.file.contentType, `${call.file.text} `) });
  const body = it.route.hasBody ? otherBody(it.context.api, it.operation, call.body ?? {}) : null;
  return body && it.with(call, { body });
}

/** What a replay contains instead of values that are returned once. */
function secretsOf({ endpoint }: KeyedRoute): Json {
  return Object.fromEntries((endpoint.secrets ?? []).map((name) => [name, null]));
}
