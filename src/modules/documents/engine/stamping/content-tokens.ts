const SPACE = 32;
const [ZERO, LF, CR] = [0, 10, 13];
const DELIMITERS = new Set([...'()<>[]{}/%'].map((character) => character.charCodeAt(0)));

/** A piece of the contents of a page. */
export interface Token {
  start: number;
  /** Behind the end of the contents if the token is not complete. */
  end: number;
  /** As it is written; null for a string. */
  word: string | null;
}

export function isSpace(byte: number): boolean {
  return byte === SPACE || (byte >= 9 && byte <= CR && byte !== 11) || byte === ZERO;
}

/** The token at or after a position; null at the end of the contents. */
export function tokenAt(contents: Uint8Array, from: number): Token | null {
  const start = skipped(contents, from);
  if (start >= contents.length) return null;
  const first = String.fromCharCode(contents[start]);
  if (first === '(') return { start, end: stringEnd(contents, start), word: null };
  const pair = first + String.fromCharCode(contents[start + 1] ?? SPACE);
  if (pair === '<<' || pair === '>>') return { start, end: start + 2, word: pair };
  if (first === '<') {
    const close = contents.indexOf('>'.charCodeAt(0), start);
    return { start, end: close < 0 ? contents.length + 1 : close + 1, word: null };
  }
  let end = start + 1;
  // a name begins with a delimiter
  if (first === '/' || !DELIMITERS.has(contents[start]))
    while (end < contents.length && !isSpace(contents[end]) && !DELIMITERS.has(contents[end])) end++;
  return { start, end, word: Buffer.from(contents.buffer, contents.byteOffset + start, end - start).toString('latin1') };
}

/** Skips white space and comments. */
function skipped(contents: Uint8Array, from: number): number {
  let at = from;
  while (at < contents.length) {
    if (contents[at] === '%'.charCodeAt(0)) while (at < contents.length && contents[at] !== LF && contents[at] !== CR) at++;
    else if (!isSpace(contents[at])) break;
    else at++;
  }
  return at;
}

/** Parentheses in a string are balanced or escaped. */
function stringEnd(contents: Uint8Array, start: number): number {
  let depth = 0;
  for (let at = start; at < contents.length; at++) {
    const character = String.fromCharCode(contents[at]);
    if (character === '\\') at++;
    else if (character === '(') depth++;
    else if (character === ')' && --depth === 0) return at + 1;
  }
  return contents.length + 1;
}
