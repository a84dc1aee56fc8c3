/** File systems allow 255 bytes or characters; programs append to names. */
const MAX_NAME_BYTES = 200;
const MAX_EXTENSION_BYTES = 16;
/** Characters that could escape the folder, the quotes or the line, or disguise the name. */
export const UNSAFE_IN_FILE_NAMES = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}"%*/:<>?\\|]/gu;
/** Windows opens a device instead, whatever the extension. */
const DEVICES = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\xb9\xb2\xb3]) *(?:\.|$)/i;

/**
 * A name under which a browser or mail program can save a file.
 *
 * @example
 * ```ts
 * import { safeFileName } from 'work-suite/kit';
 *
 * const name = safeFileName('../Minutes: May.pdf');
 * ```
 */
export function safeFileName(filename: string): string {
  // Windows drops dots and spaces at the end
  const name = filename
    .toWellFormed()
    .replace(UNSAFE_IN_FILE_NAMES, '_')
    .replace(/^[.\s]+|(?<![.\s])[.\s]+$/g, '');
  return shortened(DEVICES.test(name) ? `_${name}` : name === '' ? 'file' : name);
}

/** Keeps the extension, by which the operating system chooses the program. */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name;
  const dot = name.lastIndexOf('.');
  const ending = dot > 0 ? name.slice(dot) : '';
  const extension = Buffer.byteLength(ending) <= MAX_EXTENSION_BYTES ? ending : '';
  const bytes = Buffer.from(name).subarray(0, MAX_NAME_BYTES - Buffer.byteLength(extension));
  // of a character that was cut in two
  return `${bytes.toString().replace(/[\ufffd.\s]+$/, '')}${extension}`;
}
