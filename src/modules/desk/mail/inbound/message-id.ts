import { createHash } from 'node:crypto';

/** Without control characters, which no column takes. */
const MESSAGE_ID = /<[^<>\s\p{Cc}]{3,250}>/gu;
const LONGEST_HEAD = 256 * 1024;
const WITHOUT_ID = '@without-message-id.invalid>';

/** Headers that its program wrote, and that no server on its way adds. */
const WRITTEN = /^(from|reply-to|to|cc|date|subject|content-type|content-transfer-encoding):((?:.|\r?\n[ \t])*)/gim;

/**
 * The Message-ID of a mail or, if it has none, an id derived from its content. Without a date, two equal mails are distinguished by
 * what servers wrote into their heads.
 */
export function messageIdIn(raw: Buffer): string {
  const head = headOf(raw);
  const value = /^message-id:((?:.|\r?\n[ \t])*)/im.exec(head)?.[1];
  const derived = () => (/^date:/im.test(head) ? fingerprintOf(raw) : createHash('sha256').update(raw).digest('hex'));
  return messageIdsIn(value ?? '').at(0) ?? `<${derived()}${WITHOUT_ID}`;
}

/** The same for a mail that is delivered again, whatever servers wrote into its head meanwhile; another for one with other content. */
export function fingerprintOf(raw: Buffer): string {
  const written = [...headOf(raw).matchAll(WRITTEN)].map(
    ([, name, value]) => `${name.toLowerCase()}:${value.replace(/\s+/g, ' ').trim()}\n`,
  );
  return createHash('sha256')
    .update(written.sort().join(''))
    .update(raw.subarray(headEnd(raw)))
    .digest('hex');
}

function headOf(raw: Buffer): string {
  return raw.toString('latin1', 0, Math.min(headEnd(raw), LONGEST_HEAD));
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
