import { isUtf8 } from 'node:buffer';
import { domainToASCII } from 'node:url';
import type { Attachment, EmailAddress, ParsedMail, SimpleParserOptions } from 'mailparser';
import { firstCharacters, isEmailAddress } from '../../../../kit/index.js';
import { automaticReason, contentTypeOf, declinesAnswers } from './automatic.js';
import { bounceOf } from './bounce.js';
import { isOfScript } from './form-mails.js';
import type { InboundMail, MailAddress, MailFile } from './inbound-mail.js';
import { sanitizedHtml } from './mail-html.js';
import { headEnd, messageIdIn, messageIdsIn } from './message-id.js';
import { splitQuoted } from './quoted-text.js';
import { withoutUuencoded, type UuencodedFile } from './uuencoded.js';
import { oneLine, visible } from './visible-text.js';

const MOST_FILES = 25;
const MOST_PARTS = 200;
const MOST_ADDRESSES = 100;
const MOST_REFERENCES = 100;
const LONGEST_TEXT = 100_000;
const LONGEST_SUBJECT = 255;
const LONGEST_NAME = 255;
const LONGEST_HEAD = 256 * 1024;
const LONGEST_HTML_TO_TEXT = 500_000;
const LIMITS = { maxHeadSize: LONGEST_HEAD, maxChildNodes: MOST_PARTS };
const OPTIONS: SimpleParserOptions = {
  skipTextToHtml: true,
  skipImageLinks: true,
  keepCidLinks: true,
  keepDeliveryStatus: true,
  ignoreEmbedded: true,
  checksumAlgo: false,
  maxHtmlLengthToParse: LONGEST_HTML_TO_TEXT,
  ...LIMITS,
};
const CUT = '\n[The rest of this message is too long to be shown. The whole text is attached.]';
/** How servers and programs name those to whom they deliver, beside To and Cc. */
const DELIVERIES = [
  ...['delivered-to', 'x-original-to', 'x-delivered-to', 'envelope-to', 'x-envelope-to', 'x-forwarded-to', 'x-rcpt-to'],
  ...['apparently-to', 'resent-to', 'resent-cc'],
];
/** Of Google Groups, and of Mailman and others that replace From. */
const ORIGINAL_SENDERS = ['x-original-sender', 'x-google-original-from', 'x-original-from', 'x-mailman-original-from'];
const UNREADABLE = '[This message could not be read. It is attached as it was received.]';
const LIST_ADDRESS = /[^\s<>:;,"'()@]{1,64}@[a-z0-9.-]{3,190}/g;
const LIST_ID = /(?<=<)[a-z0-9._-]{3,190}(?=>)/g;
const MEDIA_TYPE = /^[a-z0-9][\w.+-]{0,100}\/[\w.+-]{1,100}$/;
const FORWARD = /^\s*(?:fwd?|wg|tr|rv|i|doorst|enc|vb)\s*:/i;

/** Parses a raw mail (RFC 5322 and MIME). Only the headers are read if it is too malformed. */
export async function readMail(raw: Buffer): Promise<InboundMail> {
  const messageId = messageIdIn(raw);
  try {
    return { messageId, ...(await parsed(raw)) };
  } catch {
    const head = raw.toString('latin1', 0, Math.min(headEnd(raw), LONGEST_HEAD / 4)).replace(/^Content-Type:/gim, 'X-Content-Type:');
    return { messageId, ...(await parsed(Buffer.from(head, 'latin1'))), text: UNREADABLE, files: [asFile(raw)] };
  }
}

async function parsed(raw: Buffer): Promise<Omit<InboundMail, 'messageId'>> {
  // loaded when the first mail arrives, because the parsers take as much memory as a module of the suite
  const { simpleParser, parseAddressHeader } = await import('mailparser');
  const { repairedMail } = await import('./repaired-mail.js');
  const mail = await simpleParser(await repairedMail(raw, LIMITS), OPTIONS);
  const addresses = (name: string) =>
    addressesOf(parseAddressHeader(rawValues(mail, name), { flatten: true, decodePunycode: false }).value).slice(0, MOST_ADDRESSES);
  const from = addresses('from').at(0) ?? null;
  const subject = firstCharacters(oneLine(mail.subject ?? ''), LONGEST_SUBJECT) || '(no subject)';
  const references = referencesOf(mail);
  const calendarMethods = mail.attachments.map(calendarMethodOf).filter((method) => method !== null);
  const automatic = automaticReason(mail.headers, from?.email ?? null, calendarMethods);
  const isAnswer = references.length > 0 && !FORWARD.test(subject);
  const { text: found, files: uuencoded } = withoutUuencoded(visible(hasOwnText(mail) ? (mail.text as string) : await textOfHtml(mail)));
  const whole = found.trim();
  const { text, quoted } = isAnswer ? splitQuoted(whole) : { text: whole, quoted: null };
  const html = mail.html ? sanitizedHtml(visible(mail.html), quoted !== null) : null;
  const files = [...mail.attachments, ...uuencoded.map(asAttachment)].map(fileOf);
  // what is too large to be shown
  const texts: MailFile[] = [];
  if (isCut(text) || (quoted !== null && isCut(quoted))) texts.push(textFile('message.txt', 'text/plain', whole));
  if (mail.html && html === null && (whole === '' || mail.html.replace(/<[^<>]*>/g, '').trim() !== ''))
    texts.push(textFile('message.html', 'text/html', mail.html));
  // the parts were not found, for example because the boundary is not the one in the headers
  if (whole === '' && files.length + texts.length === 0 && !isBlank(raw.subarray(headEnd(raw)))) files.push(asFile(raw));
  return {
    references,
    from,
    to: addresses('to'),
    cc: addresses('cc'),
    replyTo: addresses('reply-to'),
    originalSenders: ORIGINAL_SENDERS.flatMap(addresses),
    deliveredTo: DELIVERIES.flatMap(addresses).map(({ email }) => email),
    lists: listsOf(mail),
    authenticationResults: rawValues(mail, 'authentication-results').map(oneLine),
    subject,
    text: cut(text),
    quoted: quoted === null ? null : cut(quoted),
    html,
    files: [...texts, ...files.slice(0, MOST_FILES)],
    omittedFiles: files.slice(MOST_FILES).map(({ fileName }) => fileName),
    automatic,
    isOfScript: isOfScript(mail.headers),
    declinesAnswers: declinesAnswers(mail.headers),
    bounce:
      automatic === 'bounce'
        ? bounceOf({ subject, text: whole, parts: mail.attachments, references, failedRecipients: rawValues(mail, 'x-failed-recipients') })
        : null,
  };
}

/** For a mail that is HTML only, the parser generates a text that contains the addresses of pictures. */
function hasOwnText({ text, headers }: ParsedMail): boolean {
  return (text ?? '').trim() !== '' && contentTypeOf(headers)?.value !== 'text/html';
}

/** The text of a mail that has only HTML, with or without files. */
async function textOfHtml(mail: ParsedMail): Promise<string> {
  // sanitized, so that the text does not contain the addresses of pictures
  const html = mail.html ? sanitizedHtml(visible(mail.html), false) : null;
  if (html === null) return '';
  const { simpleParser } = await import('mailparser');
  return (await simpleParser(`Content-Type: text/html; charset=utf-8\r\n\r\n${html}`, OPTIONS)).text ?? '';
}

/** The values of a header as they were sent: the parser decodes domains, and loses what it cannot read. A line has a character per byte. */
function rawValues({ headerLines }: ParsedMail, name: string): string[] {
  return headerLines.filter(({ key }) => key === name).map(({ line }) => asUtf8(line.slice(line.indexOf(':') + 1)));
}

/** Headers may be UTF-8 (RFC 6532). Other bytes beyond ASCII are invalid, and are read as Latin-1. */
function asUtf8(binary: string): string {
  const bytes = Buffer.from(binary, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : binary;
}

function referencesOf(mail: ParsedMail): string[] {
  const of = (name: string) => rawValues(mail, name).flatMap(messageIdsIn);
  return [...new Set([...of('in-reply-to'), ...of('references').reverse()])].slice(0, MOST_REFERENCES);
}

/** The addresses and domains that a list names as its own (RFC 2369, RFC 2919). */
function listsOf(mail: ParsedMail): InboundMail['lists'] {
  const of = (...names: string[]) =>
    names
      .flatMap((name) => rawValues(mail, name))
      .join(' ')
      .toLowerCase()
      .slice(0, 10_000);
  const addresses = of('list-post', 'mailing-list', 'x-mailing-list', 'x-beenthere').match(LIST_ADDRESS) ?? [];
  const ids = of('list-id').match(LIST_ID) ?? [];
  return {
    addresses: [...new Set(addresses)],
    domains: [...new Set([...ids, ...addresses.map((email) => email.slice(email.indexOf('@') + 1))])],
  };
}

function addressesOf(values: readonly EmailAddress[]): MailAddress[] {
  return values.flatMap(({ address, name }) => {
    const email = withAsciiDomain(address?.trim().toLowerCase() ?? '');
    if (!isEmailAddress(email) || email.length > 254) return [];
    return [{ email, name: firstCharacters(oneLine(name), LONGEST_NAME) || null }];
  });
}

function withAsciiDomain(email: string): string {
  const at = email.lastIndexOf('@') + 1;
  return email.slice(0, at) + (domainToASCII(email.slice(at)) || email.slice(at));
}

function calendarMethodOf({ contentType, content }: Attachment): string | null {
  if (contentType !== 'text/calendar') return null;
  return /^METHOD:([A-Z]+)/im.exec(content.toString('utf8', 0, 4096))?.[1].toUpperCase() ?? '';
}

function asAttachment({ fileName, bytes }: UuencodedFile): Pick<Attachment, 'filename' | 'contentType' | 'content'> {
  return { filename: fileName, contentType: 'application/octet-stream', content: bytes };
}

function textFile(fileName: string, mediaType: string, text: string): MailFile {
  return { fileName, mediaType, bytes: Buffer.from(text) };
}

function fileOf({ filename, contentType, content }: Pick<Attachment, 'filename' | 'contentType' | 'content'>, index: number): MailFile {
  const mediaType = contentType.toLowerCase();
  const name = firstCharacters(oneLine(filename ?? ''), LONGEST_NAME);
  return {
    fileName: name || (mediaType === 'message/rfc822' ? `message-${index + 1}.eml` : `file-${index + 1}`),
    mediaType: MEDIA_TYPE.test(mediaType) ? mediaType : 'application/octet-stream',
    bytes: content,
  };
}

/** The mail itself as a file of its message, so that nothing of it is lost. */
function asFile(raw: Buffer): MailFile {
  return { fileName: 'message.eml', mediaType: 'message/rfc822', bytes: raw };
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte <= 0x20);
}

function cut(text: string): string {
  return isCut(text) ? firstCharacters(text, LONGEST_TEXT - CUT.length) + CUT : text;
}

function isCut(text: string): boolean {
  return firstCharacters(text, LONGEST_TEXT) !== text;
}
