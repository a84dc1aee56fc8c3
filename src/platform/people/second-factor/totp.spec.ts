import { describe, expect, test } from '@jest/globals';
import { base32, codeAt, otpauthUri, stepOf } from './totp.js';

const SECRET = Buffer.from('12345678901234567890');

describe('time-based codes', () => {
  // RFC 6238, appendix B, whose codes have eight digits
  test.each([
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ])('at %i s', (seconds, code) => {
    expect(codeAt(SECRET, Math.floor(seconds / 30))).toBe(code.slice(-6));
  });

  test('are accepted one step early or late, and name their step', () => {
    const at = (step: number) => new Date(step * 30_000);
    const code = codeAt(SECRET, 1000);
    expect([998, 999, 1000, 1001, 1002].map((step) => stepOf(SECRET, code, at(step)))).toEqual([null, 1000, 1000, 1000, null]);
    for (const wrong of ['', '12345', '1234567', '12345a', ` ${code}`]) expect(stepOf(SECRET, wrong, at(1000))).toBeNull();
  });

  // RFC 4648, chapter 10
  test.each([
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ])('base32 of "%s"', (text, encoded) => {
    expect(base32(Buffer.from(text))).toBe(encoded);
  });

  test('the address for authenticator apps names issuer and account', () => {
    expect(otpauthUri(SECRET, 'Acme & Co', 'ada@example.com')).toBe(
      'otpauth://totp/Acme%20%26%20Co:ada%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Acme%20%26%20Co',
    );
  });
});
