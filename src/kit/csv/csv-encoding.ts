import { isUtf8 } from 'node:buffer';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { CommonErrors } from '../errors/common-errors.js';

const PIECE_SIZE = 256 * 1024;
/** The part of a file without a byte order mark that shows whether it is UTF-16. */
const SAMPLE_BYTES = 4_096;
/** HTTP libraries state these of any text, so they say nothing about a file. */
const UNSPECIFIC = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii']);
/** Bytes without a character in Windows-1252. */
const UNDEFINED_IN_1252 = [0x81, 0x8d, 0x8f, 0x90, 0x9d];
/** Characters beyond ASCII that are looked at. */
const MOST_EXAMINED = 10_000;
const ADVICE = 'save it as UTF-8, or name its charset in the Content-Type, such as text/csv; charset=windows-1250';

/** A CSV file as it was sent, such as an `Upload`. */
export interface CsvSource {
  bytes: Buffer;
  contentType: string;
}

/** The file as UTF-8, and the encoding that it had. A byte order mark decides, then the charset of the Content-Type, then the bytes. */
export async function asUtf8({ bytes, contentType }: CsvSource): Promise<{ bytes: Buffer; encoding: string }> {
  const encoding = markedEncoding(bytes) ?? declaredEncoding(contentType) ?? encodingOf(bytes);
  const text = encoding === 'utf-8' ? bytes : await converted(bytes, encoding);
  if (text.includes(0)) throw invalidFile('file must be text, such as CSV; a workbook must be saved as CSV first');
  return { bytes: text, encoding };
}

function markedEncoding(file: Buffer): string | null {
  if (file[0] === 0xff && file[1] === 0xfe) return 'utf-16le';
  if (file[0] === 0xfe && file[1] === 0xff) return 'utf-16be';
  return file[0] === 0xef && file[1] === 0xbb && file[2] === 0xbf ? requireUtf8(file) : null;
}

function declaredEncoding(contentType: string): string | null {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(contentType)?.[1].toLowerCase();
  if (charset === undefined || UNSPECIFIC.has(charset)) return null;
  try {
    return new TextDecoder(charset).encoding;
  } catch {
    throw CommonErrors.unsupportedMediaType({ param: 'Content-Type', message: `The charset ${charset.slice(0, 40)} is unknown.` });
  }
}

function encodingOf(file: Buffer): string {
  const [even, odd] = zerosOf(file);
  // the zeros of a text in a Latin script are the upper halves of its characters
  if (odd > 0 && even < odd / 8) return 'utf-16le';
  if (even > 0 && odd < even / 8) return 'utf-16be';
  if (isUtf8(file)) return 'utf-8';
  if (looksLikeUtf8(file)) return requireUtf8(file);
  if (UNDEFINED_IN_1252.some((byte) => file.includes(byte))) throw invalidFile(`file has an encoding that cannot be detected; ${ADVICE}`);
  return 'windows-1252';
}

/** How many bytes at even and odd offsets are zero. */
function zerosOf(file: Buffer): [even: number, odd: number] {
  const counts: [number, number] = [0, 0];
  for (let at = 0; at < Math.min(file.length, SAMPLE_BYTES); at++) if (file[at] === 0) counts[at % 2]++;
  return counts;
}

/**
 * Whether the file is damaged UTF-8: text of another encoding hardly ever has sequences of UTF-8, so some of the first thousands of bytes
 * beyond ASCII tell.
 */
function looksLikeUtf8(file: Buffer): boolean {
  let stray = 0;
  let sequences = 0;
  for (let at = 0; at < file.length && stray + sequences < MOST_EXAMINED; at++) {
    const byte = file[at];
    if (byte < 0x80) continue;
    const following = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : byte >= 0xc2 ? 1 : 0;
    if (following > 0 && isUtf8(file.subarray(at, at + following + 1))) {
      sequences++;
      at += following;
    } else {
      stray++;
    }
  }
  return sequences > stray;
}

function requireUtf8(file: Buffer): 'utf-8' {
  if (isUtf8(file)) return 'utf-8';
  throw invalidFile(`file is UTF-8 with invalid bytes; ${ADVICE}`);
}

/** In pieces, so that other requests proceed. */
async function converted(file: Buffer, encoding: string): Promise<Buffer> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const pieces: Buffer[] = [];
  try {
    for (let at = 0; at < file.length; at += PIECE_SIZE) {
      await yieldToEventLoop();
      pieces.push(Buffer.from(decoder.decode(file.subarray(at, at + PIECE_SIZE), { stream: true })));
    }
    pieces.push(Buffer.from(decoder.decode()));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw invalidFile(`file is not valid ${encoding}; ${ADVICE}`);
  }
  return Buffer.concat(pieces);
}

function invalidFile(message: string) {
  return CommonErrors.validationFailed({ param: 'file', message });
}
