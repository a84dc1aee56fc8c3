import type { Transform } from 'node:stream';
import { TextDecoder } from 'node:util';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib';

/** The part of a response body that is read and stored. */
export const RESPONSE_BYTES = 16 * 1024;
/** With these flushes, the beginning of a longer body can be decoded, too. */
const ZLIB = { finishFlush: constants.Z_SYNC_FLUSH };
const gunzip = () => createGunzip(ZLIB);
const DECODERS = new Map<string, (body: Buffer) => Transform>([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  // some servers leave the frame of zlib out (RFC 9110, 8.4.1.2)
  ['deflate', (body) => (hasZlibFrame(body) ? createInflate(ZLIB) : createInflateRaw(ZLIB))],
  ['br', () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH })],
  ['zstd', () => createZstdDecompress({ finishFlush: constants.ZSTD_e_flush })],
]);
const CHARSET = /;\s*charset\s*=\s*"?\s*([\w.:-]{2,40})/i;

type Header = string | string[] | undefined;

/** The text of the beginning of a response body. Receivers may compress it although nobody asks for it. */
export async function textOf(body: Buffer, encoding?: Header, type?: Header): Promise<string> {
  const name = String(encoding ?? '').toLowerCase();
  const bytes = name === '' || name === 'identity' || body.length === 0 ? body : await decompressed(body, name);
  if (bytes === null) return `(${body.length} bytes with Content-Encoding ${name}, which cannot be decoded)`;
  // PostgreSQL does not store NUL in text
  return decoderOf(CHARSET.exec(String(type))?.[1])
    .decode(bytes)
    .replaceAll('\0', '\uFFFD');
}

/** No more than is stored: a response of a few bytes can stand for gigabytes. Null if not even the beginning can be decoded. */
async function decompressed(body: Buffer, name: string): Promise<Buffer | null> {
  const decoder = DECODERS.get(name)?.(body);
  if (!decoder) return null;
  const chunks: Buffer[] = [];
  let length = 0;
  decoder.end(body);
  try {
    for await (const chunk of decoder as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= RESPONSE_BYTES) break;
    }
  } catch {
    // what came before the fault is shown
    if (length === 0) return null;
  }
  return Buffer.concat(chunks).subarray(0, RESPONSE_BYTES);
}

function hasZlibFrame(body: Buffer): boolean {
  return body.length >= 2 && (body[0] & 0x0f) === 8 && body.readUInt16BE(0) % 31 === 0;
}

function decoderOf(charset: string | undefined): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}
