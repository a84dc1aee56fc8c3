import { once } from 'node:events';
import { Splitter, type MimeNode, type SplitterOptions } from '@zone-eu/mailsplit';
import { decoded, guessed, isBelied, isStated, needsGuess } from './charsets.js';
import { withoutUuencoded } from './uuencoded.js';

type Piece = { type: 'node'; node: MimeNode; body: Buffer[] } | { type: 'between'; value: Buffer };

/** A part with its body; `text` is that of a text that is no file, without its transfer encoding. */
interface Part {
  node: MimeNode;
  body: Buffer;
  text: Buffer | null;
}

const UUENCODE = /^x?-?uu(?:e|encode)$/;
/** What may precede and be in the head of HTML, piece by piece. */
const HEAD_PIECE = /\s+|<!--[^]*?-->|<(style|script|title|xml)\b[^]*?<\/\1\s*>|<(?:[!?]|\/?(?:html|head|meta|link|base)\b)[^>]*>/iy;
const META_CHARSET = /^<meta\b[^>]{0,300}?\bcharset\s*=\s*["']?\s*([\w.:-]{2,40})/i;
const META_WITHIN = 4096;
/** A word of RFC 2047; some programs put bytes beyond ASCII or spaces into one. */
const ENCODED_WORD = /=\?([\w.:-]{2,40})(?:\*[\w-]{1,20})?\?([QqBb])\?([^?\r\n]{0,2000})\?=/g;
/** Such words one after another: a character may begin in one and end in the next. */
const ENCODED_WORDS = new RegExp(`${ENCODED_WORD.source}(?:[ \\t\\r\\n]{1,9}${ENCODED_WORD.source})*`, 'g');
/** The text that a mailing list adds to a part in Base64: a line that ends the data, and all that follows. */
const FOOTER = /^(?:--|__|(?=.*[^\w+/=\s])\S+[ \t]+\S)/m;

/**
 * The mail as the parser needs it: files that are marked as text become attachments, and texts that are not in UTF-8 become UTF-8.
 * Everything else stays as it was received.
 */
export async function repairedMail(raw: Buffer, limits: SplitterOptions): Promise<Buffer> {
  const pieces: (Part | Buffer)[] = [];
  for (const piece of await split(raw, limits)) pieces.push(piece.type === 'node' ? await partOf(piece) : piece.value);
  const hint = charsetOf(pieces.filter((piece): piece is Part => !Buffer.isBuffer(piece)));
  return Buffer.concat(
    pieces.flatMap((piece) => {
      if (Buffer.isBuffer(piece)) return piece;
      const body = repairedBody(piece, hint);
      return [repairedHead(piece.node.getHeaders(), hint), body];
    }),
  );
}

async function partOf({ node, body }: { node: MimeNode; body: Buffer[] }): Promise<Part> {
  const bytes = Buffer.concat(body);
  const isText = (node.contentType === 'text/plain' || node.contentType === 'text/html') && !isFile(node) && !isUuencoded(node);
  return { node, body: bytes, text: isText ? await withoutTransferEncoding(node, bytes) : null };
}

/** The charset of what states none: one that another part states, or what all of it together looks like. Null if it is UTF-8. */
function charsetOf(parts: readonly Part[]): string | null {
  const charsets = parts.map(({ node, text }) => ({ charset: node.charset || '', text }));
  const stated = charsets.find(({ charset, text }) => isStated(charset) && !(text && isBelied(text, charset)));
  if (stated) return stated.charset;
  const sample = Buffer.concat(parts.flatMap(({ node, text }) => [node.getHeaders(), text ?? Buffer.alloc(0)]));
  return needsGuess(sample) ? guessed(sample) : null;
}

async function split(raw: Buffer, limits: SplitterOptions): Promise<Piece[]> {
  const splitter = new Splitter({ ...limits, ignoreEmbedded: true });
  const pieces: Piece[] = [];
  splitter.on('data', (chunk) => {
    const last = pieces.at(-1);
    if (chunk.type === 'node') pieces.push({ type: 'node', node: chunk, body: [] });
    else if (chunk.type === 'body' && last?.type === 'node') last.body.push(chunk.value);
    else pieces.push({ type: 'between', value: chunk.value });
  });
  splitter.end(raw);
  await once(splitter, 'end');
  return pieces;
}

function repairedBody({ node, body, text }: Part, hint: string | null): Buffer {
  if (isUuencoded(node)) return asBase64(node, uudecoded(node, body));
  if (text === null) {
    if (node.contentType === 'text/plain' || node.contentType === 'text/html') markAsFile(node);
    return body;
  }
  const stated = node.charset || '';
  if (!isStated(stated) && !needsGuess(text) && !hasFooter(node, body)) return body;
  node.setCharset('utf-8');
  return asBase64(node, Buffer.from(decoded(text, stated, metaCharset(node, text) ?? hint)));
}

function isUuencoded({ encoding }: MimeNode): boolean {
  return UUENCODE.test(String(encoding));
}

/** A name makes a part a file: a body has none. */
function isFile({ filename, disposition }: MimeNode): boolean {
  return Boolean(filename) || disposition === 'attachment';
}

function markAsFile({ headers }: MimeNode): void {
  if (headers === false) return;
  const disposition = headers.getFirst('Content-Disposition');
  const rest = disposition.includes(';') ? disposition.slice(disposition.indexOf(';')) : '';
  headers.update('Content-Disposition', `attachment${rest}`);
}

function asBase64({ headers }: MimeNode, bytes: Buffer): Buffer {
  if (headers !== false) headers.update('Content-Transfer-Encoding', 'base64');
  return Buffer.from(bytes.toString('base64').replace(/.{76}/g, '$&\r\n'));
}

function uudecoded(node: MimeNode, body: Buffer): Buffer {
  const [file] = withoutUuencoded(body.toString('latin1').replace(/\r\n/g, '\n')).files;
  if (!file) return body;
  if (node.filename) markAsFile(node);
  else if (node.headers !== false)
    node.headers.update('Content-Disposition', `attachment; filename="${file.fileName.replace(/["\\]/g, '_')}"`);
  return file.bytes;
}

/** Whether a list added text to a part in Base64. */
function hasFooter({ encoding }: MimeNode, body: Buffer): boolean {
  return String(encoding) === 'base64' && FOOTER.test(body.toString('latin1'));
}

async function withoutTransferEncoding(node: MimeNode, body: Buffer): Promise<Buffer> {
  if (hasFooter(node, body)) {
    const at = body.toString('latin1').search(FOOTER);
    return Buffer.concat([await transferDecoded(node, body.subarray(0, at)), Buffer.from('\n'), body.subarray(at)]);
  }
  return transferDecoded(node, body);
}

async function transferDecoded(node: MimeNode, body: Buffer): Promise<Buffer> {
  const decoder = node.getDecoder();
  const chunks: Buffer[] = [];
  decoder.on('data', (chunk: Buffer) => chunks.push(chunk));
  decoder.end(body);
  await once(decoder, 'end');
  return Buffer.concat(chunks);
}

/** The charset that HTML states in its head. It cannot be UTF-16, because it was read as ASCII. */
function metaCharset({ contentType }: MimeNode, bytes: Buffer): string | null {
  if (contentType !== 'text/html') return null;
  const html = bytes.toString('latin1', 0, META_WITHIN);
  for (let at = 0; at < html.length; at = HEAD_PIECE.lastIndex) {
    HEAD_PIECE.lastIndex = at;
    const piece = HEAD_PIECE.exec(html)?.[0];
    if (piece === undefined) return null;
    const charset = META_CHARSET.exec(piece)?.[1];
    if (charset !== undefined) return isStated(charset) && !/^utf-?16/i.test(charset) ? charset : null;
  }
  return null;
}

/** Headers in UTF-8, and words in other charsets as words in UTF-8. */
function repairedHead(head: Buffer, hint: string | null): Buffer {
  const text = head.toString('latin1');
  const fields = text.split(/(?<=\n)(?![ \t])/);
  const words = fields.map((field) => field.replace(ENCODED_WORDS, (run) => repairedWords(run, hint)));
  return Buffer.concat(
    words.map((field) => {
      const bytes = Buffer.from(field, 'latin1');
      return needsGuess(bytes) ? Buffer.from(decoded(bytes, '', hint)) : bytes;
    }),
  );
}

function repairedWords(run: string, hint: string | null): string {
  const charsets: { charset: string; bytes: Buffer }[] = [];
  for (const [, charset, encoding, value] of run.matchAll(ENCODED_WORD)) {
    const bytes = /b/i.test(encoding) ? Buffer.from(value, 'base64') : Buffer.from(fromQ(value), 'latin1');
    const last = charsets.at(-1);
    if (last?.charset.toLowerCase() === charset.toLowerCase()) last.bytes = Buffer.concat([last.bytes, bytes]);
    else charsets.push({ charset, bytes });
  }
  return charsets.map(({ charset, bytes }) => `=?utf-8?B?${Buffer.from(decoded(bytes, charset, hint)).toString('base64')}?=`).join(' ');
}

function fromQ(value: string): string {
  return value.replaceAll('_', ' ').replace(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
