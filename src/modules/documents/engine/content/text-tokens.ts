import MarkdownIt, { type Token } from 'markdown-it';
import { PART } from './content-size.js';

/** Is told of characters before tokens are made for them. */
export type Count = (characters: number) => void;

/** Typesetters and pages drop spaces at the beginning of a line. */
const INDENT = /^[ \t]+/;
const TAB = '\u00a0'.repeat(4);
const LINE_END = /\r\n|[\r\n\u2028\u2029]/;

/** A value as text, with its line breaks and the indents of its lines. */
export function textTokens(text: string, count: Count): Token[] {
  count(text.length + PART);
  const lines = text.split(LINE_END);
  if (lines.length > 1)
    lines.forEach((line, index) => {
      lines[index] = line.replace(INDENT, (spaces) => spaces.replaceAll('\t', TAB).replaceAll(' ', '\u00a0'));
    });
  count((lines.length - 1) * 2 * PART);
  return lines.flatMap((line, index) => (index === 0 ? [textToken(line)] : [new MarkdownIt.Token('hardbreak', 'br', 0), textToken(line)]));
}

export function textToken(text: string): Token {
  const token = new MarkdownIt.Token('text', '', 0);
  token.content = text;
  return token;
}

/** The room that a text takes, without the text: it makes the decimal points of a column stand below each other. */
export function padToken(text: string): Token {
  const token = new MarkdownIt.Token('pad', '', 0);
  token.content = text;
  return token;
}

/** How a page shows it: spaces as wide as a digit and as a point, which cards leave out. */
export const PAD_RULE = {
  pad: (tokens: readonly Token[], index: number) =>
    `<span class="pad">${tokens[index].content.replace(/\P{Nd}/gu, '\u2008').replace(/\p{Nd}/gu, '\u2007')}</span>`,
};

export function wrapped(type: string, tag: string, inside: Token[]): Token[] {
  const [open, close] = [new MarkdownIt.Token(`${type}_open`, tag, 1), new MarkdownIt.Token(`${type}_close`, tag, -1)];
  open.block = close.block = true;
  return [open, ...inside, close];
}

export function ownValue(values: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}
