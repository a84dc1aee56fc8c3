const LONGEST_NAME = 150;
/** What leaves the folder, the quotes or the line, or shows the name as another than it is. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}"%*/:<>?\\|]/gu;
const LONGEST_EXTENSION = 16;

/**
 * RFC 6266: the name in ASCII for clients that know no other, and as it is in UTF-8 (RFC 8187). Null where there is nothing
 * to say: without a name, and not to be saved.
 */
export function contentDisposition(download: boolean, filename: string | undefined): string | null {
  const kind = download ? 'attachment' : 'inline';
  if (filename === undefined) return download ? kind : null;
  const name = safeName(filename);
  // taking letters apart can make unsafe ones: a full-width quotation mark becomes a plain one
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

/** Keeps the extension, by which a desktop chooses the program. */
function shortened(name: string): string {
  const characters = [...name];
  if (characters.length <= LONGEST_NAME) return name;
  const dot = characters.lastIndexOf('.');
  const extension = dot > 0 && characters.length - dot <= LONGEST_EXTENSION ? characters.slice(dot) : [];
  return [...characters.slice(0, LONGEST_NAME - extension.length), ...extension].join('');
}

function extendedValue(name: string): string {
  return encodeURIComponent(name).replace(/['()]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
