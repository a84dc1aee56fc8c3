const MAX_NAME_LENGTH = 150;
/** Characters that could escape the folder, the quotes or the line, or disguise the name. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}"%*/:<>?\\|]/gu;
const MAX_EXTENSION_LENGTH = 16;

/**
 * The header's value by RFC 6266: the name in ASCII for old clients, and in UTF-8 (RFC 8187) if it differs. Null without a name
 * unless the file is a download. The package `content-disposition` neither cleans nor shortens names.
 */
export function contentDisposition(download: boolean, filename: string | undefined): string | null {
  const kind = download ? 'attachment' : 'inline';
  if (filename === undefined) return download ? kind : null;
  const name = safeName(filename);
  // decomposition can produce unsafe characters: a full-width quotation mark becomes an ASCII one
  const ascii = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(UNSAFE, '_')
    .replace(/[^\x20-\x7e]/gu, '_');
  return `${kind}; filename="${ascii}"${ascii === name ? '' : `; filename*=UTF-8''${extendedValue(name)}`}`;
}

function safeName(filename: string): string {
  const name = filename.toWellFormed().replace(UNSAFE, '_').trim().replace(/^\.+/, '');
  return shortened(name === '' ? 'file' : name);
}

/** Keeps the extension, by which the operating system chooses the program. */
function shortened(name: string): string {
  const characters = [...name];
  if (characters.length <= MAX_NAME_LENGTH) return name;
  const dot = characters.lastIndexOf('.');
  const extension = dot > 0 && characters.length - dot <= MAX_EXTENSION_LENGTH ? characters.slice(dot) : [];
  return [...characters.slice(0, MAX_NAME_LENGTH - extension.length), ...extension].join('');
}

function extendedValue(name: string): string {
  return encodeURIComponent(name).replace(/['()]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
