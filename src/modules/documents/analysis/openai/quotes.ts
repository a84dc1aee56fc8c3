import type { Span } from '../text/sentences.js';

const SAME: Record<string, string> = {
  '“': '"',
  '”': '"',
  '„': '"',
  '«': '"',
  '»': '"',
  '‘': "'",
  '’': "'",
  '‚': "'",
  '–': '-',
  '—': '-',
  '‑': '-',
  '\u00a0': ' ',
};

/** A text with normalized whitespace, quotation marks and dashes, and the original offset of each character. */
export class QuotableText {
  private readonly plain: string;
  private readonly places: number[];

  constructor(readonly text: string) {
    ({ plain: this.plain, places: this.places } = plainly(text));
  }

  /** Finds a quote, ignoring differences in whitespace and quotation marks; null if the text does not contain it. */
  locate(quote: string): Span | null {
    const exact = quote.trim() === '' ? -1 : this.text.indexOf(quote);
    if (exact !== -1) return { start: exact, end: exact + quote.length };
    const wanted = plainly(quote).plain.trim();
    const at = wanted === '' ? -1 : this.plain.indexOf(wanted);
    return at === -1 ? null : { start: this.places[at], end: this.places[at + wanted.length - 1] + 1 };
  }
}

function plainly(text: string): { plain: string; places: number[] } {
  const characters: string[] = [];
  const places: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = SAME[text[at]] ?? text[at];
    const blank = /\s/.test(character);
    if (blank && characters.at(-1) === ' ') continue;
    characters.push(blank ? ' ' : character);
    places.push(at);
  }
  return { plain: characters.join(''), places };
}
