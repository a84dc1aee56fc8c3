import { expect, test } from '@jest/globals';
import { MemoryLimiter } from '../rate-limit/memory-limiter.js';
import { RateLimited } from '../rate-limit/rate-limited.error.js';
import { AuthFailures } from './auth-failures.js';

test('all addresses of one IPv6 network use up the same failures', async () => {
  const failures = new AuthFailures(new MemoryLimiter(() => 0), 3);
  for (const address of ['2001:db8::1', '2001:db8::2', '2001:db8::3']) {
    failures.check(address);
    await failures.charge(address);
  }
  expect(() => failures.check('2001:db8::4')).toThrow(RateLimited);
  failures.check('2001:db8:0:1::4');
});
