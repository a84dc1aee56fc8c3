import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import Stripe from 'stripe';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { reasonOf } from '../net/failure-reasons.js';
import { RESPONSE_BYTES, textOf } from './sending/response-text.js';
import { retryAfterMs, waitAfter, type RetrySchedule } from './sending/backoff.js';
import { newSigningSecret, signatureHeader } from './sending/signature.js';
import { TargetNames } from '../net/target-names.js';
import { ForbiddenTarget, TargetRules, type TargetPolicy } from '../net/target-rules.js';

const SCHEDULE: RetrySchedule = { attempts: 10, firstWaitMs: 30_000, factor: 4, capMs: 6 * 3_600_000 };
const PRODUCTION: TargetPolicy = { allowHttp: false, allowLoopback: false, allowedRanges: [] };

describe('signatures', () => {
  test('pass an independent verifier, whatever the body', () => {
    const stripe = new Stripe('sk_test_unused');
    fc.assert(
      fc.property(fc.json(), (body) => {
        const [old, current] = [newSigningSecret(), newSigningSecret()];
        const header = signatureHeader([current, old], body, Math.floor(Date.now() / 1000));
        expect(header).toMatch(/^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
        for (const secret of [old, current]) stripe.webhooks.signature?.verifyHeader(body, header, secret, 300);
      }),
    );
  });
});

describe('the schedule', () => {
  test('is 30 s, then four times as long each, capped at six hours: 26.8 hours in all', () => {
    const waits = Array.from({ length: 10 }, (_, index) => waitAfter(SCHEDULE, index + 1, null, 0));
    expect(waits).toEqual([30, 120, 480, 1920, 7680, 21600, 21600, 21600, 21600].map((seconds) => seconds * 1000).concat(null as never));
    expect(waits.reduce<number>((sum, wait) => sum + (wait ?? 0), 0) / 3_600_000).toBeCloseTo(26.8, 1);
  });

  test('adds at most a tenth and never exceeds the cap, jitter included', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.double({ min: 0, max: 1, noNaN: true }), (tries, random) => {
        const [least, wait] = [waitAfter(SCHEDULE, tries, null, 0) as number, waitAfter(SCHEDULE, tries, null, random) as number];
        expect(wait).toBeGreaterThanOrEqual(least);
        expect(wait).toBeLessThanOrEqual(Math.min(least * 1.1 + 1, SCHEDULE.capMs));
      }),
    );
  });

  test('waits as long as Retry-After requires, up to the cap', () => {
    expect(waitAfter(SCHEDULE, 1, 90_000, 0)).toBe(90_000);
    expect(waitAfter(SCHEDULE, 1, 1_000, 0)).toBe(30_000);
    expect(waitAfter(SCHEDULE, 1, 10 ** 12, 0)).toBe(SCHEDULE.capMs);
    const now = Date.parse('2026-11-21T09:30:00Z');
    expect(retryAfterMs('120', now)).toBe(120_000);
    const dates = ['Sat, 21 Nov 2026 09:31:00 GMT', 'Saturday, 21-Nov-26 09:31:00 GMT', 'Sat Nov 21 09:31:00 2026'];
    expect(dates.map((header) => retryAfterMs(header, now))).toEqual([60_000, 60_000, 60_000]);
    expect(
      ['Tue Dec  1 09:30:00 2026', 'Tuesday, 01-Dec-76 09:30:00 GMT', 'Thursday, 01-Dec-77 09:30:00 GMT'].map((header) =>
        retryAfterMs(header, now),
      ),
    ).toEqual([10 * 86_400_000, Date.parse('2076-12-01T09:30:00Z') - now, 0]);
  });

  test.each([
    'soon',
    '3600.5',
    '-5',
    '1e3',
    '60 s',
    '12:00',
    '2026-11-21',
    '2026-11-21T10:00:00Z',
    '',
    undefined,
    'Sat, 31 Feb 2099 10:00:00 GMT',
    'Sunday, 29-Nov-26 25:61:61 GMT',
  ])('ignores the malformed Retry-After %j', (header) => {
    expect(retryAfterMs(header, Date.parse('2026-11-21T09:30:00Z'))).toBeNull();
  });

  test.each([
    [['60', '60'], 60_000],
    [['60', '120', 'x'], 120_000],
    [['x', 'y'], null],
  ])('of several headers Retry-After %j takes the longest wait', (headers, wait) => {
    expect(retryAfterMs(headers)).toBe(wait);
  });
});

describe('the text of a response', () => {
  const long = Array.from({ length: 60_000 }, (_, n) => (n * 7919) % 1009).join(' ');

  test.each([
    ['gzip', gzipSync],
    ['GZIP', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('is decoded from %s, also if only its beginning was read', async (encoding, compress) => {
    expect(await textOf(compress('{"error":"größe\0"}'), encoding)).toBe('{"error":"größe\uFFFD"}');
    const beginning = await textOf(compress(long).subarray(0, RESPONSE_BYTES), encoding);
    expect([long.startsWith(beginning), beginning.length]).toEqual([true, RESPONSE_BYTES]);
  });

  test('tells what cannot be decoded', async () => {
    expect(await textOf(Buffer.from('plain'), 'gzip')).toBe('(5 bytes with Content-Encoding gzip, which cannot be decoded)');
    expect(await textOf(Buffer.from('plain'), 'gzip, br')).toContain('cannot be decoded');
  });

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateRawSync],
  ])('is the beginning of what %s expands', async (encoding, compress) => {
    expect(await textOf(compress(Buffer.alloc(50_000_000, 'a')), encoding)).toBe('a'.repeat(RESPONSE_BYTES));
  });

  test('is read in its charset, or by its bytes', async () => {
    const latin = Buffer.from('Gr\u00fc\u00dfe', 'latin1');
    expect(await textOf(latin, undefined, 'text/plain; charset="ISO-8859-1"')).toBe('Grüße');
    expect(await textOf(Buffer.from('Grüße'), undefined, 'text/plain; charset=unheard-of')).toBe('Grüße');
    expect(await textOf(latin, undefined, 'application/json')).toBe('Gr\ufffd\ufffde');
  });
});

test('a fault of TLS is told in the words of the receiver', () => {
  const fault = (code: string, message: string) => reasonOf(Object.assign(new Error(message), { code }));
  expect(fault('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate')).toBe(
    'certificate not accepted: it is self-signed; use one of a public certificate authority',
  );
  expect(fault('UNSPECIFIED', 'unhandled critical extension')).toBe('certificate not accepted: unhandled critical extension');
  expect(fault('UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY', 'unable to decode issuer public key')).toMatch(/^certificate not accepted: unable/);
  expect(fault('CERT_HAS_EXPIRED', 'certificate has expired')).toContain('or a certificate of its chain, has expired');
  const openssl = '404DE279057F0000:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number:../deps/x.c:77:\n';
  expect(fault('ERR_SSL_WRONG_VERSION_NUMBER', openssl)).toBe('no TLS connection: the server does not speak TLS on this port');
  expect(fault('EPROTO', openssl)).toBe('no TLS connection: wrong version number');
  const version = openssl.replace('wrong version number', 'tlsv1 alert protocol version');
  expect(fault('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', version)).toBe('no TLS connection: the server does not support TLS 1.2 or later');
  expect(fault('UND_ERR_HEADERS_OVERFLOW', 'Headers Overflow Error')).toBe('the headers of the response are larger than 16 KiB');
  expect(fault('HPE_8', 'Response does not match the HTTP/1.1 protocol (Expected HTTP/)')).toBe(
    'the response is not valid HTTP: Expected HTTP/',
  );
  expect(fault('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:4414')).toContain('nothing listens on this port');
});

describe('targets', () => {
  const rejected = [
    'http://example.com',
    'ftp://example.com',
    'https://127.0.0.1',
    'https://127.1',
    'https://2130706433',
    'https://0x7f.0.0.1',
    'https://017700000001',
    'https://10.0.0.1',
    'https://172.16.0.1',
    'https://192.168.1.1',
    'https://169.254.169.254',
    'https://100.64.0.1',
    'https://0.0.0.0',
    'https://224.0.0.1',
    'https://255.255.255.255',
    'https://192.0.2.1',
    'https://198.18.0.1',
    'https://[::1]',
    'https://[::]',
    'https://[fe80::1]',
    'https://[fc00::1]',
    'https://[fd00:ec2::254]',
    'https://[::ffff:10.0.0.1]',
    'https://[::ffff:a9fe:a9fe]',
    'https://[::10.0.0.1]',
    'https://[64:ff9b::10.0.0.1]',
    'https://[64:ff9b:1::a00:1]',
    'https://168.63.129.16',
    'https://[::ffff:168.63.129.16]',
    'https://100.100.100.200',
    'https://192.0.0.192',
    'https://[fd20:ce::254]',
    'https://[2002:a00:1::]',
    'https://[2001::1]',
    'https://[ff02::1]',
    'https://[2001:db8::1]',
    'https://user:password@example.com',
    'nonsense',
  ];
  test.each(rejected)('rejects %s in production', (url) => {
    expect(() => new TargetRules(PRODUCTION).checkUrl(url)).toThrow(ForbiddenTarget);
  });

  test.each(['https://example.com/hooks?x=1', 'https://8.8.8.8', 'https://168.63.129.17', 'https://[2606:4700::1111]:8443/'])(
    'accepts %s',
    (url) => {
      expect(new TargetRules(PRODUCTION).checkUrl(url).href).toContain('https://');
    },
  );

  test('may be loopback in development, and what the operator names', () => {
    const rules = new TargetRules({ allowHttp: true, allowLoopback: true, allowedRanges: ['10.1.0.0/16', 'fd00::5'] });
    for (const url of ['http://127.0.0.1:3000', 'http://[::1]', 'http://10.1.2.3', 'http://[fd00::5]', 'http://[::ffff:10.1.2.3]'])
      expect(rules.checkUrl(url)).toBeInstanceOf(URL);
    for (const url of ['http://10.2.0.1', 'http://[fd00::6]', 'http://192.168.0.1'])
      expect(() => rules.checkUrl(url)).toThrow(ForbiddenTarget);
  });

  test('are rejected if any address of the name is, and checked again when the DNS result expires', async () => {
    const addressesByName: Record<string, string[]> = {
      'good.example': ['93.184.215.14'],
      'mixed.example': ['93.184.215.14', '10.0.0.1'],
      'inside.example': ['::ffff:127.0.0.1'],
    };
    const names = new TargetNames(new TargetRules(PRODUCTION), (name) => Promise.resolve(addressesByName[name]));
    expect(await names.addressesOf('good.example')).toEqual(['93.184.215.14']);
    for (const name of ['mixed.example', 'inside.example']) await expect(names.addressesOf(name)).rejects.toThrow(ForbiddenTarget);
    await expect(names.addressesOf('[::1]')).rejects.toThrow(ForbiddenTarget);
  });
});
