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
 * pdfmake's time grows with the square of a word's length, as it measures all that is left of it at every line, and with the
 * square of a paragraph's, as it copies all that is left of it at every word. So it is given neither in one piece.
 */

const LONG_WORD = /\S{81,}/g;
const PIECE = 20;
const LONG_TEXT = 4_000;
const SPACED = /(?<=\s)(?=\S)/;

/**
 * The text in pieces, one where no word is long. Nothing stands between two pieces of a word but an empty one: that is where
 * pdfmake may begin a line, and nothing of it is in the file.
 */
export function withBreaks(text: string): string[] {
  const pieces: string[] = [];
  let begin = 0;
  for (const { 0: word, index } of text.matchAll(LONG_WORD)) {
    let at = index;
    for (const end = index + word.length; end - at > PIECE; begin = at) {
      // both halves of a character outside the basic plane stay together
      at += isLowSurrogate(text.charCodeAt(at + PIECE)) ? PIECE + 1 : PIECE;
      pieces.push(text.slice(begin, at), '');
    }
  }
  return [...pieces, text.slice(begin)];
}

/** A paragraph as one text, or as several, one below the other, where it is very long: parted where a line or a word ends. */
export function paragraphs(runs: readonly Run[]): Content[] {
  const texts: Run[][] = [[]];
  let length = 0;
  for (const run of runs.flatMap(parted)) {
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

/** What a line counts for, so that many short ones are parted too. */
const LINE = 40;

function parted(run: Run): Run[] {
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
