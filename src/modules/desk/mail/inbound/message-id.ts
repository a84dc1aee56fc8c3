import { createHash } from 'node:crypto';

/** Without control characters, which no column takes. */
const MESSAGE_ID = /<[^<>\s\p{Cc}]{3,250}>/gu;
const LONGEST_HEAD = 256 * 1024;
const WITHOUT_ID = '@without-message-id.invalid>';

/** The Message-ID of a mail or, if it has none, an id derived from its content. */
export function messageIdIn(raw: Buffer): string {
  const head = raw.toString('latin1', 0, Math.min(headEnd(raw), LONGEST_HEAD));
  const value = /^message-id:((?:.|\r?\n[ \t])*)/im.exec(head)?.[1];
  return messageIdsIn(value ?? '').at(0) ?? `<${createHash('sha256').update(raw).digest('hex')}${WITHOUT_ID}`;
}

/** The Message-IDs in a header's value, with angle brackets. */
export function messageIdsIn(value: string): string[] {
  return value.match(MESSAGE_ID) ?? [];
}

/** Where the headers of a mail end. */
export function headEnd(raw: Buffer): number {
  const ends = ['\r\n\r\n', '\n\n'].map((gap) => raw.indexOf(gap)).filter((at) => at >= 0);
  return Math.min(raw.length, ...ends);
}
