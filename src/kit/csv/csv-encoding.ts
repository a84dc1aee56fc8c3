import { isUtf8 } from 'node:buffer';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { TextDecoder } from 'node:util';
import iconv from 'iconv-lite';
import { CommonErrors } from '../errors/common-errors.js';
import { doubtOf } from './western-text.js';

const PIECE_SIZE = 256 * 1024;
/** The part of a file without a byte order mark that shows whether it is UTF-16. */
const SAMPLE_BYTES = 4_096;
/** What iconv-lite offers for bytes in texts. */
const NO_CHARSETS = /^(?:hex|base64|binary|utf-?7.*)$/;
/** HTTP libraries state these of any text, so they say nothing about a file. */
const UNSPECIFIC = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii']);
/** The first bytes of a ZIP file and of an old Office file. */
const WORKBOOK = /^(?:PK\x03\x04|\xd0\xcf\x11\xe0)/;
const NO_TEXT = 'file must be text, such as CSV; a workbook must be saved as CSV first';
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
  if (WORKBOOK.test(bytes.toString('latin1', 0, 4))) throw invalidFile(NO_TEXT);
  const encoding = markedEncoding(bytes) ?? declaredEncoding(contentType) ?? encodingOf(bytes);
  const text = encoding === 'utf-8' ? bytes : await converted(bytes, encoding);
  const nul = text.indexOf(0);
  if (nul < 0) return { bytes: text, encoding };
  const [even, odd] = zerosOf(text);
  if (even + odd > MOST_STRAY_ZEROS) throw invalidFile(NO_TEXT);
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
  const label = decoderOf(charset)?.encoding;
  if (label !== undefined) return label;
  if (iconv.encodingExists(charset) && !NO_CHARSETS.test(charset)) return charset;
  throw CommonErrors.unsupportedMediaType({ param: 'Content-Type', message: `The charset ${charset.slice(0, 40)} is unknown.` });
}

/** The WHATWG's decoder, which reports invalid bytes. Its only DOS charset is 866. */
function decoderOf(charset: string): TextDecoder | null {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    return null;
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
  const doubt = doubtOf(file);
  if (doubt === null) return 'windows-1252';
  const { example, line, likely } = doubt;
  const looks = likely
    ? `looks like ${likely.charset} ("${likely.example}" in line ${line})`
    : `has an encoding that cannot be detected (line ${line})`;
  const charset = likely?.charset ?? 'windows-1250';
  throw invalidFile(
    `file ${looks}; save it as UTF-8, or name its charset in the Content-Type, such as text/csv; charset=${charset}, or ` +
      `charset=windows-1252 if "${example}" is right`,
  );
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
  const decoder = decoderOf(encoding) ?? lenientDecoder(encoding);
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

/** A decoder of iconv-lite, which replaces invalid bytes, with the interface of the other. */
function lenientDecoder(charset: string): Pick<TextDecoder, 'decode'> {
  const decoder = iconv.getDecoder(charset);
  return {
    decode: (bytes?: Buffer) => {
      const text = bytes === undefined ? (decoder.end() ?? '') : decoder.write(bytes);
      if (text.includes('\ufffd')) throw new TypeError('invalid bytes');
      return text;
    },
  };
}

function invalidFile(message: string) {
  return CommonErrors.validationFailed({ param: 'file', message });
}
