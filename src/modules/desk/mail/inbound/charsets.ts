import { isUtf8 } from 'node:buffer';
import { analyse } from 'chardet';
import iconv from 'iconv-lite';

/** Charsets that say nothing about bytes beyond ASCII, or that mail programs state by default. */
const UNSAID = /^(?:|(?:us-?)?ascii|ansi_x3\.4-1968|utf-?8|unknown.*|x-unknown|default|_autodetect.*|binary|8bit)$/i;
/** ISO-2022-JP is 7-bit, so that it is known by its escape sequences only. */
const JAPANESE_ESCAPE = /\u001b\$[@B]/;
/** Both bytes of every character are beyond ASCII, as in GB 2312 and the EUC charsets; in Big5 every second one is not. */
const HIGH_PAIRS = /^(?:[\u0000-\u007f]|[\u00a1-\u00fe]{2})*$/;
const LEAST_CONFIDENCE = 15;
const LONGEST_SAMPLE = 64 * 1024;
const FALLBACK = 'windows-1252';

/** Whether mails must be decoded by this charset, and not by what their bytes look like. */
export function isStated(charset: string): boolean {
  return !UNSAID.test(charset.trim()) && (iconv.encodingExists(charset) || decoderOf(charset) !== null);
}

/**
 * Text in a charset, stated or not. What states none, or UTF-8 wrongly, is read by what it looks like: UTF-8, then `hint`, the charset that
 * another part of the mail states, then a guess, and at last windows-1252.
 */
export function decoded(bytes: Buffer, stated: string, hint: string | null): string {
  if (isStated(stated)) return decoderOf(stated)?.decode(bytes) ?? iconv.decode(bytes, stated);
  const mark = bytes.toString('hex', 0, 2);
  if (mark === 'fffe' || mark === 'feff') return new TextDecoder(mark === 'fffe' ? 'utf-16le' : 'utf-16be').decode(bytes);
  if (JAPANESE_ESCAPE.test(bytes.toString('latin1', 0, LONGEST_SAMPLE))) return new TextDecoder('iso-2022-jp').decode(bytes);
  if (isUtf8(bytes)) return bytes.toString();
  return (decoderOf(hint ?? guessed(bytes)) ?? new TextDecoder(FALLBACK)).decode(bytes);
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
