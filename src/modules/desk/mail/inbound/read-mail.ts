import type { Attachment, EmailAddress, ParsedMail, SimpleParserOptions, StructuredHeader } from 'mailparser';
import { firstCharacters, isEmailAddress } from '../../../../kit/index.js';
import { automaticReason, declinesAnswers } from './automatic.js';
import { bounceOf } from './bounce.js';
import type { InboundMail, MailAddress, MailFile } from './inbound-mail.js';
import { sanitizedHtml } from './mail-html.js';
import { headEnd, messageIdIn } from './message-id.js';
import { splitQuoted } from './quoted-text.js';

const MOST_FILES = 25;
const MOST_PARTS = 200;
const MOST_ADDRESSES = 100;
const MOST_REFERENCES = 100;
const LONGEST_TEXT = 100_000;
const LONGEST_SUBJECT = 255;
const LONGEST_NAME = 255;
const LONGEST_HEAD = 256 * 1024;
const LONGEST_HTML_TO_TEXT = 500_000;
const OPTIONS: SimpleParserOptions = {
  skipTextToHtml: true,
  skipImageLinks: true,
  keepCidLinks: true,
  keepDeliveryStatus: true,
  ignoreEmbedded: true,
  checksumAlgo: false,
  maxHtmlLengthToParse: LONGEST_HTML_TO_TEXT,
  maxHeadSize: LONGEST_HEAD,
  maxChildNodes: MOST_PARTS,
};
const CUT = '\n[The rest of this message is too long to be shown.]';
const UNREADABLE = '[This message could not be read. It is attached as it was received.]';
const MESSAGE_ID = /<[^<>\s]{3,250}>/g;
/** Control characters, which are removed. */
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;
const MEDIA_TYPE = /^[a-z0-9][\w.+-]{0,100}\/[\w.+-]{1,100}$/;
const FORWARD = /^\s*(?:fwd?|wg|tr|rv|i|doorst|enc|vb)\s*:/i;

/** Parses a raw mail (RFC 5322 and MIME). Only the headers are read if it is too malformed. */
export async function readMail(raw: Buffer): Promise<InboundMail> {
  const messageId = messageIdIn(raw);
  try {
    return { messageId, ...(await parsed(raw)) };
  } catch {
    const head = raw.toString('latin1', 0, Math.min(headEnd(raw), LONGEST_HEAD / 4)).replace(/^Content-Type:/gim, 'X-Content-Type:');
    const file = { fileName: 'message.eml', mediaType: 'message/rfc822', bytes: raw };
    return { messageId, ...(await parsed(head)), text: UNREADABLE, files: [file] };
  }
}

async function parsed(raw: Buffer | string): Promise<Omit<InboundMail, 'messageId'>> {
  // loaded when the first mail arrives, because the parser takes as much memory as a module of the suite
  const { simpleParser, parseAddressHeader } = await import('mailparser');
  const mail = await simpleParser(raw, OPTIONS);
  const addresses = (name: string) =>
    addressesOf(parseAddressHeader(rawValues(mail, name), { flatten: true, decodePunycode: false }).value).slice(0, MOST_ADDRESSES);
  const from = addresses('from').at(0) ?? null;
  const subject = firstCharacters(oneLine(mail.subject ?? ''), LONGEST_SUBJECT) || '(no subject)';
  const references = referencesOf(mail);
  const calendarMethods = mail.attachments.map(calendarMethodOf).filter((method) => method !== null);
  const automatic = automaticReason(mail.headers, from?.email ?? null, calendarMethods);
  const isAnswer = references.length > 0 && !FORWARD.test(subject);
  const whole = visible(hasOwnText(mail) ? (mail.text as string) : await textOfHtml(mail)).trim();
  const { text, quoted } = isAnswer ? splitQuoted(whole) : { text: whole, quoted: null };
  const files = mail.attachments.map(fileOf);
  // too large for the text, and not shown either
  if (whole === '' && mail.html) files.unshift({ fileName: 'message.html', mediaType: 'text/html', bytes: Buffer.from(mail.html) });
  return {
    references,
    from,
    to: addresses('to'),
    cc: addresses('cc'),
    subject,
    text: cut(text),
    quoted: quoted === null ? null : cut(quoted),
    html: mail.html ? sanitizedHtml(visible(mail.html), quoted !== null) : null,
    files: files.slice(0, MOST_FILES),
    omittedFiles: Math.max(0, files.length - MOST_FILES),
    automatic,
    declinesAnswers: declinesAnswers(mail.headers),
    bounce: automatic === 'bounce' ? bounceOf(mail.attachments) : null,
  };
}

/** For a mail that is HTML only, the parser generates a text that contains the addresses of pictures. */
function hasOwnText({ text, headers }: ParsedMail): boolean {
  return (text ?? '').trim() !== '' && (headers.get('content-type') as StructuredHeader | undefined)?.value !== 'text/html';
}

/** The text of a mail that has only HTML, with or without files. */
async function textOfHtml(mail: ParsedMail): Promise<string> {
  // sanitized, so that the text does not contain the addresses of pictures
  const html = mail.html ? sanitizedHtml(visible(mail.html), false) : null;
  if (html === null) return '';
  const { simpleParser } = await import('mailparser');
  return (await simpleParser(`Content-Type: text/html; charset=utf-8\r\n\r\n${html}`, OPTIONS)).text ?? '';
}

/** The values of a header as they were sent: the parser decodes domains, and loses what it cannot read. */
function rawValues({ headerLines }: ParsedMail, name: string): string[] {
  return headerLines.filter(({ key }) => key === name).map(({ line }) => line.slice(line.indexOf(':') + 1));
}

function referencesOf(mail: ParsedMail): string[] {
  const of = (name: string) => rawValues(mail, name).flatMap((value) => value.match(MESSAGE_ID) ?? []);
  return [...new Set([...of('in-reply-to'), ...of('references').reverse()])].slice(0, MOST_REFERENCES);
}

function addressesOf(values: readonly EmailAddress[]): MailAddress[] {
  return values.flatMap(({ address, name }) => {
    const email = address?.trim().toLowerCase();
    if (!isEmailAddress(email) || email.length > 254) return [];
    return [{ email, name: firstCharacters(oneLine(name), LONGEST_NAME) || null }];
  });
}

function calendarMethodOf({ contentType, content }: Attachment): string | null {
  if (contentType !== 'text/calendar') return null;
  return /^METHOD:([A-Z]+)/im.exec(content.toString('utf8', 0, 4096))?.[1].toUpperCase() ?? '';
}

function fileOf({ filename, contentType, content }: Attachment, index: number): MailFile {
  const mediaType = contentType.toLowerCase();
  const name = firstCharacters(oneLine(filename ?? ''), LONGEST_NAME);
  return {
    fileName: name || (mediaType === 'message/rfc822' ? `message-${index + 1}.eml` : `file-${index + 1}`),
    mediaType: MEDIA_TYPE.test(mediaType) ? mediaType : 'application/octet-stream',
    bytes: content,
  };
}

function visible(text: string): string {
  return text.toWellFormed().replace(/\r\n?/g, '\n').replace(CONTROLS, '');
}

function oneLine(text: string): string {
  return visible(text).replace(/\s+/g, ' ').trim();
}

function cut(text: string): string {
  const short = firstCharacters(text, LONGEST_TEXT);
  return short === text ? text : firstCharacters(text, LONGEST_TEXT - CUT.length) + CUT;
}
