import { createSecretKey } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { PlanTokens, type PlannedCall } from './plan-tokens.js';

const plans = new PlanTokens(createSecretKey('secret', 'utf8'));
const call: PlannedCall = [{ organizationId: 'org', mode: 'live' }, 'key', 'POST', '/notes', { title: 'A', body: 'B' }];
const NOW = Date.UTC(2026, 10, 29);

test('is valid for ten minutes', () => {
  const token = plans.issue(call, 'summary', NOW);
  plans.check(token, call, NOW + 10 * 60_000);
  expect(() => plans.check(token, call, NOW + 10 * 60_000 + 1000)).toThrow('older than 10 minutes');
});

test('is valid for its call only, however the members of the body are ordered', () => {
  const token = plans.issue(call, 'summary', NOW);
  plans.check(token, [...call.slice(0, 4), { body: 'B', title: 'A' }] as unknown as PlannedCall, NOW);
  const others = [
    [{ organizationId: 'org', mode: 'test' }, ...call.slice(1)],
    [call[0], 'other', ...call.slice(2)],
    [...call.slice(0, 3), '/notes?x=1', call[4]],
    [...call.slice(0, 4), { title: 'A', body: 'C' }],
  ] as unknown as PlannedCall[];
  for (const other of others) expect(() => plans.check(token, other, NOW)).toThrow('another call');
  expect(() => plans.check(`${token.slice(0, -4)}AAAA`, call, NOW)).toThrow('another call');
  expect(() => plans.check('plan_x', call, NOW)).toThrow('not a plan token');
  expect(() => new PlanTokens(createSecretKey('other', 'utf8')).check(token, call, NOW)).toThrow('another call');
});
