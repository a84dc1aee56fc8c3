import { isUtf8 } from 'node:buffer';
import { CommonErrors, Upload } from '../../../kit/index.js';
import { nestedMembers, readPageBody, requireUtf8 } from './read-body.js';

const MULTIPART = /^multipart\/form-data\s*;/i;
const BOUNDARY = /;\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))/i;
const DISPOSITION = /^content-disposition:[ \t]*form-data;(.*)$/im;
const PART_TYPE = /^content-type:[ \t]*([^\r\n]{1,200})/im;
/** Bounds the cost of a body that consists of nothing but parts. */
const MOST_PARTS = 2_000;
const LONGEST_HEAD = 4_096;
const HEAD_END = '\r\n\r\n';
const NO_BYTES = Buffer.alloc(0);

interface Part {
  name: string;
  contentType: string;
  bytes: Buffer;
}

/**
 * Separates the file from the other fields of a page's form. `raw` is null if the form was too large and was discarded. A form
 * without multipart/form-data is read as on other pages and has no file.
 */
export function readPageUpload(raw: unknown, contentType = '', field: string): { body: unknown; upload: Upload } {
  if (raw === null) return { body: {}, upload: new Upload(contentType, NO_BYTES, true) };
  if (!Buffer.isBuffer(raw) || !MULTIPART.test(contentType))
    return { body: readPageBody(raw, contentType), upload: new Upload(contentType, NO_BYTES) };
  requireUtf8(contentType);
  const parts = partsOf(raw, contentType);
  const files = parts.filter(({ name }) => name === field);
  if (files.length > 1) throw CommonErrors.validationFailed({ param: field, message: `${field} must be one file.` });
  const texts = parts.filter(({ name }) => name !== field).map(({ name, bytes }): [string, string] => [name, textOf(bytes)]);
  const [file] = files as [Part?];
  return { body: nestedMembers(texts), upload: new Upload(file?.contentType ?? '', file?.bytes ?? NO_BYTES) };
}

/**
 * The parts of a multipart/form-data body (RFC 7578), as views of it. Not by `Response.formData()`, which takes up to 1.5 s for
 * a hostile body of 10 MiB, and anyone can send one to a public page.
 */
function partsOf(raw: Buffer, contentType: string): Part[] {
  const match = BOUNDARY.exec(contentType);
  const opening = Buffer.from(`--${match?.[1] ?? match?.[2] ?? ''}`);
  if (!match || !raw.subarray(0, opening.length).equals(opening)) throw malformed();
  const delimiter = Buffer.concat([Buffer.from('\r\n'), opening]);
  const parts: Part[] = [];
  for (let at = opening.length; raw.toString('latin1', at, at + 2) !== '--';) {
    const headEnd = raw.subarray(at, at + LONGEST_HEAD).indexOf(HEAD_END);
    const start = at + headEnd + HEAD_END.length;
    const end = headEnd < 0 ? -1 : raw.indexOf(delimiter, start);
    if (end < 0 || parts.length >= MOST_PARTS) throw malformed();
    parts.push(partOf(raw.toString('utf8', at, at + headEnd), raw.subarray(start, end)));
    at = end + delimiter.length;
  }
  return parts;
}

function partOf(head: string, bytes: Buffer): Part {
  const parameters = DISPOSITION.exec(head)?.[1] ?? '';
  const name = /(?:^|[\s;])name="([^"]*)"/i.exec(parameters)?.[1];
  if (name === undefined) throw malformed();
  // browsers escape only these
  const unescaped = name.replace(/%22|%0D|%0A/gi, decodeURIComponent);
  return { name: unescaped, contentType: PART_TYPE.exec(head)?.[1].trim() ?? '', bytes };
}

function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw CommonErrors.invalidBody({ message: 'The body is not valid UTF-8.' });
  return bytes.toString('utf8');
}

function malformed(): Error {
  return CommonErrors.invalidBody({ message: 'The body is not a well-formed multipart/form-data body.' });
}
