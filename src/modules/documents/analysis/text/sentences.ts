/** A part of the text: `text.slice(start, end)`. */
export interface Span {
  start: number;
  end: number;
}

/** Longer runs without a full stop are cut, which bounds the time of every rule. */
const LONGEST = 1_000;

const ABBREVIATIONS = new Set(
  `no nos art sec cl para inc ltd co corp bros mr mrs ms dr prof st vs v approx est fig vol pp al etc cf e.g
  i.e u.s u.k a.m p.m b.v n.v s.a s.r.l s.p.a l.p l.l.c jan feb apr jun jul aug sep sept oct nov dec abs nr bzw ggf gem vgl ca inkl zzgl
  einschl evtl ziff lit str tel mio mrd hr fr z.b d.h u.a i.d.r i.s.d i.v.m o.g s.o usw`.split(/\s+/),
);
const GERMAN_MONTH = /^\s+(?:januar|jänner|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)\b/i;
const ENDS = /[.!?;]["'”’)\]*_]*(?=\s)/g;
const BEGINS = /^\s+["'“„‘([*_]*[\p{Lu}\p{N}]/u;

/** The sentences between two offsets of the text, trimmed. Clause numbers and abbreviations do not end a sentence. */
export function sentencesOf(text: string, from: number, to: number): Span[] {
  const part = text.slice(from, to);
  const spans: Span[] = [];
  let start = 0;
  for (const found of part.matchAll(ENDS)) {
    const end = found.index + found[0].length;
    if (!ends(part, start, found.index, end)) continue;
    cut(part, start, end, spans);
    start = end;
  }
  cut(part, start, part.length, spans);
  return spans.map((span) => ({ start: span.start + from, end: span.end + from }));
}

function ends(part: string, start: number, mark: number, end: number): boolean {
  const after = part.slice(end, end + 24);
  // a company name may contain an exclamation mark
  if (part[mark] !== '.') return !(part[mark] === '!' && /^\s+(?:Inc|Ltd|LLC|Corp|GmbH|AG|PLC|S\.A)\b/i.test(after));
  if (!BEGINS.test(after)) return false;
  const word = /[\p{L}\p{N}.§]+$/u.exec(part.slice(Math.max(start, mark - 16), mark))?.[0] ?? '';
  // the number of a clause or a list item at the start, and the day of a German date
  if (/^\d+(\.\d+)*$/.test(word) && (part.slice(start, mark).trim() === word || GERMAN_MONTH.test(after))) return false;
  // initials as in "J. Smith", "z. B.", and German street names
  return !/^\p{L}$|str$/u.test(word) && !ABBREVIATIONS.has(word.toLowerCase());
}

function cut(part: string, from: number, to: number, spans: Span[]): void {
  let start = from;
  while (to - start > LONGEST) {
    const blank = part.lastIndexOf(' ', start + LONGEST);
    const end = blank > start + LONGEST / 2 ? blank : start + LONGEST;
    push(part, start, end, spans);
    start = end;
  }
  push(part, start, to, spans);
}

function push(part: string, from: number, to: number, spans: Span[]): void {
  const raw = part.slice(from, to);
  const start = from + (raw.length - raw.trimStart().length);
  const end = to - (raw.length - raw.trimEnd().length);
  if (end > start) spans.push({ start, end });
}
