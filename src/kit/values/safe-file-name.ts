const MAX_NAME_LENGTH = 150;
/** Characters that could escape the folder, the quotes or the line, or disguise the name. */
export const UNSAFE_IN_FILE_NAMES = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}"%*/:<>?\\|]/gu;
const MAX_EXTENSION_LENGTH = 16;

/** A name under which a browser or mail program can save a file. */
export function safeFileName(filename: string): string {
  const name = filename.toWellFormed().replace(UNSAFE_IN_FILE_NAMES, '_').trim().replace(/^\.+/, '');
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
