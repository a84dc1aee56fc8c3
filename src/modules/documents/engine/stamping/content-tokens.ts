const SPACE = 32;
const [ZERO, LF, CR] = [0, 10, 13];
const [OPEN, CLOSE, LESS, GREATER, BACKSLASH, SLASH, PERCENT] = [...'()<>\\/%'].map((character) => character.charCodeAt(0));
const DELIMITERS = new Set([...'()<>[]{}/%'].map((character) => character.charCodeAt(0)));
/** By byte, whether it ends a token: contents of a page have up to millions of bytes. */
const ENDS = Uint8Array.from({ length: 256 }, (_, byte) => Number(isSpace(byte) || DELIMITERS.has(byte)));
const LONGEST_OPERATOR = 3;

/** A piece of the contents of a page. */
export class Token {
  /** `end`: behind the end of the contents if the token is not complete. */
  constructor(
    private readonly contents: Uint8Array,
    readonly start: number,
    readonly end: number,
    private readonly isString = false,
  ) {}

  /** As it is written; null for a string. Most tokens are numbers, which nobody reads. */
  get word(): string | null {
    const { buffer, byteOffset } = this.contents;
    return this.isString ? null : Buffer.from(buffer, byteOffset + this.start, this.end - this.start).toString('latin1');
  }

  /** The word if it can be an operator or a bracket; null for others. */
  get operator(): string | null {
    if (this.isString || this.end - this.start > LONGEST_OPERATOR) return null;
    let word = '';
    for (let at = this.start; at < this.end; at++) word += String.fromCharCode(this.contents[at]);
    return word;
  }
}

export function isSpace(byte: number): boolean {
  return byte === SPACE || (byte >= 9 && byte <= CR && byte !== 11) || byte === ZERO;
}

/** The token at or after a position; null at the end of the contents. */
export function tokenAt(contents: Uint8Array, from: number): Token | null {
  const start = skipped(contents, from);
  if (start >= contents.length) return null;
  const [first, second] = [contents[start], contents[start + 1]];
  if (first === OPEN) return new Token(contents, start, stringEnd(contents, start), true);
  if (first === second && (first === LESS || first === GREATER)) return new Token(contents, start, start + 2);
  if (first === LESS) {
    const close = contents.indexOf(GREATER, start);
    return new Token(contents, start, close < 0 ? contents.length + 1 : close + 1, true);
  }
  let end = start + 1;
  // a name begins with a delimiter
  if (first === SLASH || !DELIMITERS.has(first)) while (end < contents.length && ENDS[contents[end]] === 0) end++;
  return new Token(contents, start, end);
}

/** Skips white space and comments. */
function skipped(contents: Uint8Array, from: number): number {
  let at = from;
  while (at < contents.length) {
    if (contents[at] === PERCENT) while (at < contents.length && contents[at] !== LF && contents[at] !== CR) at++;
    else if (!isSpace(contents[at])) break;
    else at++;
  }
  return at;
}

/** Parentheses in a string are balanced or escaped. */
function stringEnd(contents: Uint8Array, start: number): number {
  let depth = 0;
  for (let at = start; at < contents.length; at++) {
    const byte = contents[at];
    if (byte === BACKSLASH) at++;
    else if (byte === OPEN) depth++;
    else if (byte === CLOSE && --depth === 0) return at + 1;
  }
  return contents.length + 1;
}
