import { CommonErrors } from '../errors/common-errors.js';

const BOUNDARY = /;\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))/i;
const DISPOSITION = /^content-disposition:[ \t]*form-data;(.*)$/im;
const PART_TYPE = /^content-type:[ \t]*([^\r\n]{1,200})/im;
/** Bounds the cost of a body that consists of nothing but parts. */
const MOST_PARTS = 2_000;
const LONGEST_HEAD = 4_096;
const HEAD_END = '\r\n\r\n';

/** One field of a form. */
export interface FormPart {
  name: string;
  /** Null for a field that is no file. */
  fileName: string | null;
  contentType: string;
  bytes: Buffer;
}

/**
 * The parts of a multipart/form-data body (RFC 7578), as views of it. Not by `Response.formData()`, which takes up to 1.5 s for
 * a hostile body of 10 MiB, and anyone can send one to a public page.
 */
export function readMultipart(raw: Buffer, contentType: string): FormPart[] {
  const match = BOUNDARY.exec(contentType);
  const opening = Buffer.from(`--${match?.[1] ?? match?.[2] ?? ''}`);
  if (!match || !raw.subarray(0, opening.length).equals(opening)) throw malformed();
  const delimiter = Buffer.concat([Buffer.from('\r\n'), opening]);
  const parts: FormPart[] = [];
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

function partOf(head: string, bytes: Buffer): FormPart {
  const parameters = DISPOSITION.exec(head)?.[1] ?? '';
  const name = /(?:^|[\s;])name="([^"]*)"/i.exec(parameters)?.[1];
  if (name === undefined) throw malformed();
  // browsers escape only these
  const unescaped = (text: string) => text.replace(/%22|%0D|%0A/gi, decodeURIComponent);
  const fileName = /[\s;]filename="([^"]*)"/i.exec(parameters)?.[1];
  return {
    name: unescaped(name),
    fileName: fileName === undefined ? null : unescaped(fileName),
    contentType: PART_TYPE.exec(head)?.[1].trim() ?? '',
    bytes,
  };
}

function malformed(): Error {
  return CommonErrors.invalidBody({ message: 'The body is not a well-formed multipart/form-data body.' });
}
