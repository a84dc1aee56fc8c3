import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { analyse } from 'chardet';
import iconv from 'iconv-lite';

/** Charsets that say nothing about bytes beyond ASCII, or that mail programs state by default. */
const UNSAID = /^(?:|(?:us-?)?ascii|ansi_x3\.4-1968|utf-?8|unknown.*|x-unknown|x-user-defined|default|_autodetect.*|binary|8bit)$/i;
const UTF8 = /^utf-?8$/i;
const UTF7 = /^(?:x-)?(?:unicode-1-1-)?utf-?7$/i;
/** What mail programs state by default, also for UTF-8. */
const LATIN = new Set(['windows-1252', 'iso-8859-1', 'iso-8859-15']);
/** ISO-2022-JP is 7-bit, so that it is known by its escape sequences only. */
const JAPANESE_ESCAPE = /\u001b\$[@B]/;
/** Both bytes of every character are beyond ASCII, as in GB 2312 and the EUC charsets; in Big5 every second one is not. */
/** Unlike a decoder of the platform, iconv looks for a byte order mark, and knows all of code page 949. */
const ICONV = new Set(['utf-16', 'utf16', 'cp949']);
const HIGH = /[\u0080-\u00ff]/;
/** A character of UTF-8 beyond ASCII, in a string of bytes. */
const SEQUENCE = new RegExp(
  '[\\u00c2-\\u00df][\\u0080-\\u00bf]|\\u00e0[\\u00a0-\\u00bf][\\u0080-\\u00bf]|[\\u00e1-\\u00ef][\\u0080-\\u00bf]{2}|' +
    '\\u00f0[\\u0090-\\u00bf][\\u0080-\\u00bf]{2}|[\\u00f1-\\u00f3][\\u0080-\\u00bf]{3}|\\u00f4[\\u0080-\\u008f][\\u0080-\\u00bf]{2}',
  'g',
);
/** A character of UTF-8 that was cut. */
const CUT = /[\u00c2-\u00f4][\u0080-\u00bf]/;
/** Letters of windows-1252 in words, and its marks. */
const LATIN_WORDS =
  /(?<=[A-Za-z])[\u00df-\u00f6\u00f8-\u00ff]|[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u00ff]{1,4}(?=[A-Za-z])|[\u0091-\u0097\u00a1-\u00bf]/g;
const HIGH_PAIRS = /^(?:[\u0000-\u007f]|[\u00a1-\u00fe]{2})*$/;
const LEAST_CONFIDENCE = 15;
const LONGEST_SAMPLE = 64 * 1024;
const FALLBACK = 'windows-1252';

/** Whether mails must be decoded by this charset, and not by what their bytes look like. */
export function isStated(charset: string): boolean {
  return !UNSAID.test(charset.trim()) && (decoderOf(charset) !== null || iconv.encodingExists(iconvName(charset)));
}

/**
 * Text in a charset, stated or not. What states none, or wrongly UTF-8 or a default, is read by what it looks like: UTF-8, even damaged,
 * then `hint`, the charset that another part of the mail or the HTML itself states, then a guess, and at last windows-1252.
 */
export function decoded(bytes: Buffer, stated: string, hint: string | null): string {
  if (isStated(stated) && !isBelied(bytes, stated)) return inCharset(bytes, stated);
  const mark = bytes.toString('hex', 0, 2);
  if (mark === 'fffe' || mark === 'feff') return new TextDecoder(mark === 'fffe' ? 'utf-16le' : 'utf-16be').decode(bytes);
  if (JAPANESE_ESCAPE.test(bytes.toString('latin1', 0, LONGEST_SAMPLE))) return new TextDecoder('iso-2022-jp').decode(bytes);
  if (isUtf8(bytes)) return bytes.toString();
  const damaged = damagedUtf8(bytes, UTF8.test(stated.trim()));
  if (damaged !== null) return damaged;
  return ((hint === null ? null : decoderOf(hint)) ?? decoderOf(guessed(bytes)) ?? new TextDecoder(FALLBACK)).decode(bytes);
}

/** Whether bytes contradict the charset that they state. */
export function isBelied(bytes: Buffer, stated: string): boolean {
  const name = decoderOf(stated)?.encoding ?? '';
  if (name === 'iso-2022-jp') return HIGH.test(bytes.toString('latin1'));
  return LATIN.has(name) && isUtf8(bytes);
}

function inCharset(bytes: Buffer, charset: string): string {
  // a plus sign alone does not indicate UTF-7, because many texts contain one
  if (UTF7.test(charset))
    return iconv.decode(Buffer.from(bytes.toString('latin1').replace(/\+(?![A-Za-z0-9+/-])/g, '+-'), 'latin1'), 'utf-7');
  const decoder = decoderOf(charset);
  const name = iconvName(charset);
  return decoder === null || ICONV.has(name) ? iconv.decode(bytes, name) : decoder.decode(bytes);
}

function iconvName(charset: string): string {
  const name = charset.trim().toLowerCase();
  if (name === 'x-mac-ce') return 'maccenteuro';
  return decoderOf(name)?.encoding === 'euc-kr' ? 'cp949' : name;
}

/**
 * UTF-8 that contains invalid bytes, because it was cut or damaged, or because a list added a line in another charset. Null if it is
 * probably no UTF-8: in texts of other charsets, up to two thirds of the bytes beyond ASCII can look like it.
 */
function damagedUtf8(bytes: Buffer, isStatedUtf8: boolean): string | null {
  const text = bytes.toString('latin1');
  const high = highBytes(text);
  const bad = highBytes(text.replace(SEQUENCE, ''));
  if (isStatedUtf8 ? high - bad < bad : high - bad <= 2 * bad) return null;
  const [utf8, latin] = [new TextDecoder(), new TextDecoder(FALLBACK)];
  return text.replace(/[^\n]+/g, (line) => (isLatin(line) ? latin : utf8).decode(Buffer.from(line, 'latin1')));
}

function highBytes(text: string): number {
  return text.length - text.replace(/[\u0080-\u00ff]+/g, '').length;
}

function isLatin(line: string): boolean {
  return HIGH.test(line) && !CUT.test(line) && !HIGH.test(line.replace(LATIN_WORDS, ''));
}

/** Whether bytes without a stated charset are not simply UTF-8. */
export function needsGuess(bytes: Buffer): boolean {
  const sample = bytes.toString('latin1', 0, LONGEST_SAMPLE);
  return !isUtf8(bytes) || JAPANESE_ESCAPE.test(sample) || sample.startsWith('\u00ff\u00fe') || sample.startsWith('\u00fe\u00ff');
}

/** The charset that bytes look like. */
export function guessed(bytes: Buffer): string {
  const sample = highLines(bytes);
  const isPaired = HIGH_PAIRS.test(sample.toString('latin1'));
  const found = analyse(sample).find(
    ({ name, confidence }) => confidence >= LEAST_CONFIDENCE && decoderOf(name) !== null && !(isPaired && name === 'Big5'),
  );
  return found?.name ?? FALLBACK;
}

/** The lines with bytes beyond ASCII: long English or HTML around them would hide what they are. */
function highLines(bytes: Buffer): Buffer {
  const lines = bytes.toString('latin1').split('\n');
  const high = lines.filter((line) => /[\u0080-\u00ff]/.test(line)).join('\n');
  return Buffer.from(high.slice(0, LONGEST_SAMPLE), 'latin1');
}

function decoderOf(charset: string): TextDecoder | null {
  try {
    return new TextDecoder(charset.trim());
  } catch {
    return null;
  }
}
