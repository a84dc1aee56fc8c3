import type { Content } from 'pdfmake';

export interface Style {
  bold?: boolean;
  italics?: boolean;
  decoration?: 'lineThrough' | 'underline';
  link?: string;
  color?: string;
}
/** Text in one style. */
export interface Run extends Style {
  text: string;
}

/*
 * pdfmake takes quadratic time in the length of a word, because it measures the rest of the word at every line, and in the
 * length of a paragraph, because it copies the rest of the paragraph at every word. Both are therefore split into pieces.
 */

const LONG_WORD = /\S{81,}/g;
const PIECE = 20;
const LONG_TEXT = 4_000;
const SPACED = /(?<=\s)(?=\S)/;

/**
 * Splits long words of a text into pieces. An empty string between two pieces lets pdfmake break the line there and leaves no
 * trace in the file.
 */
export function withBreaks(text: string): string[] {
  const pieces: string[] = [];
  let begin = 0;
  for (const { 0: word, index } of text.matchAll(LONG_WORD)) {
    let at = index;
    for (const end = index + word.length; end - at > PIECE; begin = at) {
      // Do not split a surrogate pair.
      at += isLowSurrogate(text.charCodeAt(at + PIECE)) ? PIECE + 1 : PIECE;
      pieces.push(text.slice(begin, at), '');
    }
  }
  return [...pieces, text.slice(begin)];
}

/** A paragraph as one text. A very long one becomes several texts, split at the end of a line or a word. */
export function paragraphs(runs: readonly Run[]): Content[] {
  const texts: Run[][] = [[]];
  let length = 0;
  for (const run of runs.flatMap(split)) {
    const isLineEnd = run.text === '\n';
    if (length >= LONG_TEXT && (isLineEnd || endsWord(texts.at(-1)?.at(-1)))) {
      texts.push([]);
      length = 0;
      if (isLineEnd) continue;
    }
    texts.at(-1)?.push(run);
    length += run.text.length + (isLineEnd ? LINE : 0);
  }
  return texts.map((text) => ({ text }));
}

/** The minimum size of a line, so that a paragraph of many short lines is split too. */
const LINE = 40;

function split(run: Run): Run[] {
  if (run.text.length <= LONG_TEXT) return [run];
  const parts: string[] = [];
  let part = '';
  for (const word of run.text.split(SPACED)) {
    part += word;
    if (part.length < LONG_TEXT) continue;
    parts.push(part);
    part = '';
  }
  return [...parts, part].filter((text) => text !== '').map((text) => ({ ...run, text }));
}

function endsWord(run: Run | undefined): boolean {
  return run !== undefined && /(?:^|\s)$/.test(run.text);
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
