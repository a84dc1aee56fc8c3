import { expect, it } from '@jest/globals';
import { isVerified } from './authentication.js';

const verified = (...results: string[]) => isVerified(results, 'mx.company.example', 'agent@company.example');

it.each([
  'mx.company.example; spf=pass smtp.mailfrom=x@other.example; dmarc=pass (p=none) header.from=company.example',
  'mx.company.example 1; dkim=pass header.d=company.example header.i=@company.example',
  'MX.Company.example; dmarc=none header.from=company.example; dkim=pass header.i=@company.example',
])('a mail is verified by %j', (results) => {
  expect(verified(results)).toBe(true);
});

it.each([
  // what the sender chose, which the server copies
  'mx.company.example; spf=pass smtp.mailfrom="a; dmarc=pass header.from=company.example "@evil.example; dmarc=none',
  'mx.company.example; dkim=pass header.d=evil.example header.i="x; dkim=pass header.d=company.example "@evil.example',
  'mx.company.example; spf=fail smtp.mailfrom="a\\"; dmarc=pass header.from=company.example "@evil.example',
  'mx.company.example; dkim=pass header.d=company.example; dmarc=fail header.from=company.example',
  'mx.company.example; dkim=pass header.d=evil.example',
  'mx.evil.example; dmarc=pass header.from=company.example',
])('a mail is not verified by %j', (results) => {
  expect(verified(results)).toBe(false);
});
