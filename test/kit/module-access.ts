import { expect, test } from '@jest/globals';
import { BAD_KEYS } from './module-keys.js';
import { expectRefusal } from './module-refusals.js';
import type { KeyedRoute } from './module-routes.js';
import type { Subject } from './module-world.js';

/** Who may not call, and how often who may. */
export function checkAccess(route: KeyedRoute, subject: () => Subject): void {
  const { scope } = route.endpoint;

  test.each(BAD_KEYS)('refuses $what: $status $code', async ({ what, status, code, client }) => {
    const it = subject();
    const answer = await it.send(await client(it.world.keys, scope), await it.world.sameCall(route));
    expectRefusal(it, what, answer, { status, code });
    if (status === 401) expect(answer.headers['www-authenticate']).toMatch(/^Bearer realm=/);
    if (code === 'insufficient_scope') {
      expect(answer.body.error.required_scope).toBe(scope);
      expect(answer.headers['www-authenticate']).toContain(`scope="${scope}"`);
    }
  });

  if (route.endpoint.requiresActor) {
    test('refuses a key that is bound to nobody: 403 key_missing_actor', async () => {
      const it = subject();
      const answer = await it.send(await it.world.keys.unbound(), await it.world.sameCall(route));
      expectRefusal(it, 'unbound key', answer, { status: 403, code: 'key_missing_actor' });
    });
  }

  test('counts down its limit on success and on refusal, then answers 429 with Retry-After', async () => {
    const it = subject();
    const client = await it.world.keys.limited(2);
    const success = await it.send(client, await it.world.call(route));
    expect([success.status, ...limitsOf(success.headers)]).toEqual([route.endpoint.status, '2', '1']);
    const call = await it.world.sameCall(route);
    const refused = await it.send(client, it.with(call, { query: 'no_such_parameter=1' }));
    expect([refused.status, ...limitsOf(refused.headers)]).toEqual([400, '2', '0']);
    const limited = await it.send(client, call);
    expectRefusal(it, 'third call of two', limited, { status: 429, code: 'rate_limited' });
    expect(limitsOf(limited.headers)).toEqual(['2', '0']);
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
    for (const { headers } of [success, refused, limited]) {
      expect(headers['ratelimit-policy']).toMatch(/^"key";q=2;w=60, "org";q=\d+;w=60$/);
      expect(Number(headers['ratelimit-reset'])).toBeGreaterThan(0);
    }
  });
}

function limitsOf(headers: Record<string, string>): string[] {
  return [headers['ratelimit-limit'], headers['ratelimit-remaining']];
}
