import { describe, expect, it } from '@jest/globals';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { acceptedEncoding, compress, isCompressible, varyByEncoding } from './compression.js';

const LONG = 'x'.repeat(2_000);

describe('compression', () => {
  it.each([
    ['br, gzip', 'br'],
    ['gzip, deflate', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['*', 'br'],
    ['br;q=0, gzip;q=0', null],
    ['identity', null],
    ['identity;q=1, gzip;q=0.1', null],
    ['zstd', null],
    ['', null],
    [undefined, null],
  ])('for Accept-Encoding %j uses %j', (header, encoding) => expect(acceptedEncoding(header)).toBe(encoding));

  it.each([
    ['application/json; charset=utf-8', true],
    ['application/problem+json', true],
    ['text/html; charset=utf-8', true],
    ['text/csv', true],
    ['image/svg+xml', true],
    ['text/event-stream', false],
    ['application/pdf', false],
    ['image/png', false],
    [undefined, false],
  ])('of %s: %s', (contentType, expected) => {
    expect(isCompressible({ contentType, cacheControl: 'no-store', body: LONG })).toBe(expected);
    expect(isCompressible({ contentType, cacheControl: 'no-store', body: Buffer.from(LONG) })).toBe(expected);
    expect(isCompressible({ contentType, cacheControl: 'no-store, no-transform', body: LONG })).toBe(false);
    expect(isCompressible({ contentType, cacheControl: undefined, body: 'short' })).toBe(false);
  });

  it.each([1, 100])('is lossless for small and large bodies (%d times)', async (times) => {
    const text = `Größe ${LONG}`.repeat(times);
    expect(brotliDecompressSync(await compress(text, 'br')).toString()).toBe(text);
    expect(gunzipSync(await compress(Buffer.from(text), 'gzip')).toString()).toBe(text);
  });

  it('keeps what a response varies by', () => {
    expect([varyByEncoding(undefined), varyByEncoding('Accept'), varyByEncoding(['Origin', 'Accept'])]).toEqual([
      'Accept-Encoding',
      'Accept, Accept-Encoding',
      'Origin, Accept, Accept-Encoding',
    ]);
    // a published file in no encoding has set it already
    expect([varyByEncoding('Accept-Encoding'), varyByEncoding('accept-encoding, Accept')]).toEqual([
      'Accept-Encoding',
      'accept-encoding, Accept',
    ]);
  });
});
