import { isSpace, tokenAt } from '../stamping/content-tokens.js';
import { imageEnd } from '../stamping/inline-images.js';

const SPACE = 32;

/**
 * What an appearance draws besides its value: without the section that is marked as text (`/Tx BMC`; ISO 32000-1, 12.7.3.3), and without
 * other texts.
 */
export function withoutTexts(contents: Uint8Array): Buffer {
  const left = Buffer.from(contents);
  /** Where what is left out begins, the operator that ends it, and how many sections are open in it. */
  let out: { from: number; end: 'ET' | 'EMC'; depth: number } | null = null;
  /** The first operand of the next operator. */
  let operand: { start: number; word: string | null } | null = null;
  let next = 0;
  for (let token = tokenAt(left, 0); token !== null; token = tokenAt(left, next)) {
    const { start, end, word } = token;
    next = end;
    operand ??= token;
    if (word === null || !isOperator(word)) continue;
    if (word === 'BI') next = imageEnd(left, end);
    const first = operand;
    operand = null;
    if (out) {
      if (out.end === 'EMC' && (word === 'BMC' || word === 'BDC')) out.depth++;
      if (word !== out.end || --out.depth > 0) continue;
      blank(left, out.from, end);
      out = null;
    } else if (word === 'BT') out = { from: start, end: 'ET', depth: 1 };
    else if ((word === 'BMC' || word === 'BDC') && first.word === '/Tx') out = { from: first.start, end: 'EMC', depth: 1 };
  }
  if (out) blank(left, out.from, left.length);
  return left;
}

function isOperator(word: string): boolean {
  return /^[A-Za-z'"]/.test(word) && !/^(?:true|false|null)$/.test(word);
}

function blank(contents: Buffer, from: number, to: number): void {
  for (let at = from; at < to; at++) if (!isSpace(contents[at])) contents[at] = SPACE;
}
