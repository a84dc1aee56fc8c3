import { expect, test } from '@jest/globals';
import { INVALID_KEYS } from './module-keys.js';
import { expectAnswer, expectError } from './module-errors.js';
import { firstCalls } from './module-first-calls.js';
import type { KeyedRoute } from './module-routes.js';
import type { Subject } from './module-context.js';

/** Checks authentication, scopes and rate limits; the states of keys only at the `first` route of a module. */
export function checkAccess(route: KeyedRoute, subject: () => Subject, { first }: { first: boolean }): void {
  const { scope } = route.endpoint;

  test.each(INVALID_KEYS.filter(({ ofRoute }) => first || ofRoute))(
    'rejects $what: $status $code',
    async ({ what, status, code, client }) => {
      const it = subject();
      const response = await it.send(await client(it.context.keys, scope), await it.context.sameCall(route));
      expectError(it, what, response, { status, code });
      if (status === 401) expect(response.headers['www-authenticate']).toMatch(/^Bearer realm=/);
      if (code === 'insufficient_scope') {
        expect(response.body.error.required_scope).toBe(scope);
        expect(response.headers['www-authenticate']).toContain(`scope="${scope}"`);
      }
    },
  );

  if (route.endpoint.requiresActor) {
    test('rejects a key that is not bound to a member: 403 key_missing_actor', async () => {
      const it = subject();
      const response = await it.send(await it.context.keys.unbound(), await it.context.sameCall(route));
      expectError(it, 'unbound key', response, { status: 403, code: 'key_missing_actor' });
    });
  }

  test('counts successes and errors against its limit, then responds with 429 and Retry-After', async () => {
    const it = subject();
    const { accepted, rejected, limited } = await firstCalls(it);
    expectAnswer(accepted, route.endpoint.status, 'a valid call');
    expect(limitsOf(accepted.headers)).toEqual(['2', '1']);
    expectAnswer(rejected, 400, 'an unknown parameter');
    expect(limitsOf(rejected.headers)).toEqual(['2', '0']);
    expectError(it, 'third call of two', limited, { status: 429, code: 'rate_limited' });
    expect(limitsOf(limited.headers)).toEqual(['2', '0']);
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
    for (const { headers } of [accepted, rejected, limited]) {
      expect(headers['ratelimit-policy']).toMatch(/^"key";q=2;w=60, "org";q=\d+;w=60$/);
      expect(Number(headers['ratelimit-reset'])).toBeGreaterThan(0);
    }
  });
}

function limitsOf(headers: Record<string, string>): string[] {
  return [headers['ratelimit-limit'], headers['ratelimit-remaining']];
}
