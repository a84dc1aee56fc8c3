import { isUtf8 } from 'node:buffer';
import { create, parse } from 'content-disposition';
import { safeFileName } from '../../../kit/index.js';
import { UNSAFE_IN_FILE_NAMES } from '../../../kit/internal.js';

/**
 * The header's value by RFC 6266: the name in ASCII for old clients, and in UTF-8 (RFC 8187) if it differs. Null without a name
 * unless the file is a download. The library writes names as they are given, so they are made safe before.
 */
export function contentDisposition(download: boolean, filename: string | undefined): string | null {
  const type = download ? 'attachment' : 'inline';
  if (filename === undefined) return download ? type : null;
  const name = safeFileName(filename);
  // decomposition can produce unsafe characters: a full-width quotation mark becomes an ASCII one
  const fallback = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(UNSAFE_IN_FILE_NAMES, '_')
    .replace(/[^\x20-\x7e]/gu, '_');
  return create(name, { type, fallback });
}

/** The name in the header of an upload; empty if it has none that can be read. */
export function fileNameIn(header = ''): string {
  // Node decodes headers as Latin-1, although many clients send UTF-8
  const bytes = Buffer.from(header, 'latin1');
  const { filename } = parse(isUtf8(bytes) ? bytes.toString() : header).parameters;
  return filename ?? '';
}
