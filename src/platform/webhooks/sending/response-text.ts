import { brotliDecompressSync, constants, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';

/** The part of a response body that is read and stored. */
export const RESPONSE_BYTES = 16 * 1024;
/** A response of a few bytes can stand for gigabytes. */
const MOST_DECODED_BYTES = 1024 * 1024;
const LIMIT = { maxOutputLength: MOST_DECODED_BYTES };
/** The beginning of a longer body can be decoded, too. */
const DECODERS: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  gzip: (body) => gunzipSync(body, { ...LIMIT, finishFlush: constants.Z_SYNC_FLUSH }),
  'x-gzip': (body) => gunzipSync(body, { ...LIMIT, finishFlush: constants.Z_SYNC_FLUSH }),
  deflate: (body) => inflateSync(body, { ...LIMIT, finishFlush: constants.Z_SYNC_FLUSH }),
  br: (body) => brotliDecompressSync(body, { ...LIMIT, finishFlush: constants.BROTLI_OPERATION_FLUSH }),
  zstd: (body) => zstdDecompressSync(body, { ...LIMIT, finishFlush: constants.ZSTD_e_flush }),
};

/** The text of the beginning of a response body. Receivers may compress it although nobody asks for it. */
export function textOf(body: Buffer, encoding: string | string[] | undefined): string {
  const name = String(encoding ?? '').toLowerCase();
  // PostgreSQL does not store NUL in text
  return decoded(body, name).replaceAll('\0', '\uFFFD');
}

function decoded(body: Buffer, name: string): string {
  if (name === '' || name === 'identity' || body.length === 0) return body.toString('utf8');
  try {
    return DECODERS[name](body).subarray(0, RESPONSE_BYTES).toString('utf8');
  } catch {
    return `(${body.length} bytes with Content-Encoding ${name}, which cannot be decoded)`;
  }
}
