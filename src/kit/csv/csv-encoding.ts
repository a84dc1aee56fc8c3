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
/** Š, Œ, Ž and Ÿ. */
const CAPITALS_IN_1252 = new Set([0x8a, 0x8c, 0x8e, 0x9f]);
/** They do not stand between two letters, as dashes and apostrophes do. */
const SYMBOLS_IN_1252 = new Set([
  0x80, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8b, 0x93, 0x94, 0x95, 0x98, 0x99, 0x9b, 0xa7, 0xbe, 0xbf,
]);
/** The first bytes of a ZIP file and of an old Office file. */
const WORKBOOK = /^(?:PK\x03\x04|\xd0\xcf\x11\xe0)/;
const MOST_STRAY_ZEROS = 3;
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
  const nul = text.indexOf(0);
  if (nul < 0) return { bytes: text, encoding };
  const [even, odd] = zerosOf(text);
  if (WORKBOOK.test(bytes.toString('latin1', 0, 4)) || even + odd > MOST_STRAY_ZEROS)
    throw invalidFile('file must be text, such as CSV; a workbook must be saved as CSV first');
  const line = text.toString('latin1', 0, nul).split(/\r\n|[\r\n]/).length;
  throw invalidFile(`file has a NUL character in line ${line}; remove it`);
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
  // the zeros of a text in a Latin script are the upper halves of its characters; a few others are damage
  const least = Math.max(MOST_STRAY_ZEROS, Math.min(file.length, SAMPLE_BYTES) / 16);
  if (odd >= least && even < odd / 8) return 'utf-16le';
  if (even >= least && odd < even / 8) return 'utf-16be';
  if (isUtf8(file)) return 'utf-8';
  if (looksLikeUtf8(file)) return requireUtf8(file);
  if (UNDEFINED_IN_1252.some((byte) => file.includes(byte))) throw invalidFile(`file has an encoding that cannot be detected; ${ADVICE}`);
  if (isDoubtful(file))
    throw invalidFile(
      'file has an encoding that cannot be detected, such as that of a Mac or of DOS; save it as UTF-8, or name its charset in the ' +
        'Content-Type, such as text/csv; charset=macintosh, or charset=windows-1252 if it is that',
    );
  return 'windows-1252';
}

/**
 * Whether the bytes are hardly Windows-1252: most of those beyond ASCII in words are symbols between two letters, capitals after small
 * letters, or š and ž, which no language uses alone. In Mac Roman and in the code pages of DOS they are the usual accented letters.
 */
function isDoubtful(file: Buffer): boolean {
  let doubtful = 0;
  let plausible = 0;
  for (let at = 0; at < file.length && doubtful + plausible < MOST_EXAMINED; at++) {
    const byte = file[at];
    if (byte < 0x80) continue;
    const [isAfterSmall, isAfter, isBefore] = [isSmall(file[at - 1]), isLetter(file[at - 1]), isLetter(file[at + 1])];
    if (CAPITALS_IN_1252.has(byte) || (byte >= 0xc0 && byte <= 0xde && byte !== 0xd7)) {
      if (isAfterSmall) doubtful++;
      else if (isBefore && byte >= 0xc0) plausible++;
    } else if (SYMBOLS_IN_1252.has(byte)) {
      if (isAfter && isBefore) doubtful++;
    } else if (byte === 0x9a || byte === 0x9e) {
      if (isAfter || isBefore) doubtful++;
    } else if (byte >= 0xdf && byte !== 0xf7 && (isAfter || isBefore)) {
      plausible++;
    }
  }
  return doubtful > plausible;
}

function isSmall(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x61 && byte <= 0x7a;
}

function isLetter(byte: number | undefined): boolean {
  return byte !== undefined && isSmall(byte | 0x20);
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
