import { safeFileName } from '../../../kit/index.js';
import { UNSAFE_IN_FILE_NAMES } from '../../../kit/internal.js';

/**
 * The header's value by RFC 6266: the name in ASCII for old clients, and in UTF-8 (RFC 8187) if it differs. Null without a name
 * unless the file is a download. The package `content-disposition` neither cleans nor shortens names.
 */
export function contentDisposition(download: boolean, filename: string | undefined): string | null {
  const kind = download ? 'attachment' : 'inline';
  if (filename === undefined) return download ? kind : null;
  const name = safeFileName(filename);
  // decomposition can produce unsafe characters: a full-width quotation mark becomes an ASCII one
  const ascii = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(UNSAFE_IN_FILE_NAMES, '_')
    .replace(/[^\x20-\x7e]/gu, '_');
  return `${kind}; filename="${ascii}"${ascii === name ? '' : `; filename*=UTF-8''${extendedValue(name)}`}`;
}

function extendedValue(name: string): string {
  return encodeURIComponent(name).replace(/['()]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
