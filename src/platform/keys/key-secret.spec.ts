import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { displayPrefix, generateSecret, hashSecret, isWellFormed, lastFour, SECRET_PATTERN } from './key-secret.js';

const mode = fc.constantFrom('live' as const, 'test' as const);
const secrets = mode.map(generateSecret);
const LIVE = 'svc_live_0123456789ABCDEFGHIJKLMNOPQRSTUV0l3Q8O';
const TEST = 'svc_test_zyxwvutsrqponmlkjihgfedcbaZYXWVU2xQMBn';

test('fixed vectors, made by another implementation (Python zlib and hashlib)', () => {
  expect(isWellFormed(LIVE)).toBe(true);
  expect(isWellFormed(TEST)).toBe(true);
  expect(hashSecret(LIVE).toString('hex')).toBe('f5e0fc644d63645306c54bd0cf9865a510f926a297e3875102bdeb3c2929379d');
  expect([displayPrefix(LIVE), lastFour(LIVE)]).toEqual(['svc_live_', LIVE.slice(-4)]);
  expect(displayPrefix(TEST)).toBe('svc_test_');
});

test('generated secrets are well formed, match the published pattern, and are unique', () => {
  fc.assert(
    fc.property(secrets, (secret) => {
      expect(isWellFormed(secret)).toBe(true);
      expect(`token="${secret}";`.match(new RegExp(SECRET_PATTERN))?.[0]).toBe(secret);
    }),
  );
  expect(new Set(Array.from({ length: 1000 }, () => generateSecret('live'))).size).toBe(1000);
});

test('no single wrong character passes', () => {
  fc.assert(
    fc.property(secrets, fc.nat(46), fc.constantFrom(...'09AZaz_- é'), (secret, at, wrong) => {
      fc.pre(secret[at] !== wrong);
      expect(isWellFormed(secret.slice(0, at) + wrong + secret.slice(at + 1))).toBe(false);
    }),
    { numRuns: 500 },
  );
});

test('a secret cut, extended or of the other mode does not pass', () => {
  const secret = generateSecret('live');
  for (const wrong of ['', secret.slice(0, -1), `${secret}0`, `${secret}\n`, ` ${secret}`, secret.replace('live', 'test')]) {
    expect(isWellFormed(wrong)).toBe(false);
  }
});

test('every character is equally likely', () => {
  const counts = new Map<string, number>();
  for (let i = 0; i < 4000; i++) for (const char of generateSecret('live').slice(9, 41)) counts.set(char, (counts.get(char) ?? 0) + 1);
  const expected = (4000 * 32) / 62;
  const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  expect(counts.size).toBe(62);
  // 61 degrees of freedom: exceeded by chance once in ten million runs; a byte taken modulo 62 gives about 1,000.
  expect(chiSquare).toBeLessThan(135);
});
