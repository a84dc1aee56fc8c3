import bidiFactory, { type Bidi } from 'bidi-js';

// its types describe the module for bundlers; Node gets the function itself
const bidi = (bidiFactory as unknown as () => Bidi)();

/** Letters of scripts that are written from the right. */
export const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
/** Forms of Arabic and Hebrew letters in a word, and their ligatures; names of code points that old fonts use. */
const FORMS = /[\ufb1d-\ufdff\ufe70-\ufefc]/g;
const LETTER = /\p{L}/u;
const MARK = /^\p{M}$/u;
/** Of characters outside of the basic plane, which take two units in the text that `bidi-js` reads. */
const STAND_IN = { letter: 'x', other: '\ufffc' };
/** In heights of the line. A narrower gap is between letters of a word. */
const WORD_GAP = 0.13;

/** A character on a line, with its place along the line from the left. */
export interface Glyph {
  text: string;
  left: number;
  right: number;
  /** The same for the characters that one drawing stands for. */
  drawing?: string;
}

/** A letter with its marks. */
interface Cluster<G extends Glyph> {
  base: G | ' ';
  marks: G[];
}

type Placed<G extends Glyph> = Cluster<G> & { base: G };

export function isRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(text);
}

/** Whether more letters are written from the right than from the left. */
export function isMostlyRightToLeft(letters: Iterable<string>): boolean {
  let balance = 0;
  for (const letter of letters) if (LETTER.test(letter)) balance += RIGHT_TO_LEFT.test(letter) ? 1 : -1;
  return balance > 0;
}

/** The characters of a line as they are read. */
export function readingOrder<G extends Glyph>(glyphs: readonly G[], height: number, isPageRightToLeft: boolean): (G | ' ')[] {
  const clusters = withSpaces(clustersOf(glyphs), height);
  if (clusters.length === 0) return [];
  const text = clusters.map(({ base }) => unitOf(textOf(base))).join('');
  const ordered = isRightToLeft(text) ? ordering(text, isPageRightToLeft).map((index) => clusters[index]) : clusters;
  return withMatchingBrackets(ordered.flatMap(({ base, marks }) => [base, ...marks]));
}

/**
 * With the spaces between words where the file draws none. Browsers name a letter with marks for the drawing of a mark only: where they
 * draw spaces, other gaps in such a line are in words.
 */
function withSpaces<G extends Glyph>(clusters: readonly Placed<G>[], height: number): Cluster<G>[] {
  const hasSpaces = clusters.some(({ base }) => base.text.trim() === '') && clusters.some(({ marks }) => marks.length > 0);
  return clusters.flatMap((cluster, index) => {
    const before = clusters[index - 1] as Placed<G> | undefined;
    if (!before || [before, cluster].some(({ base }) => base.text.trim() === '')) return cluster;
    if (hasSpaces && isRightToLeft(before.base.text) && isRightToLeft(cluster.base.text)) return cluster;
    const [right, left] = [Math.max(...partsOf(before).map((one) => one.right)), Math.min(...partsOf(cluster).map((one) => one.left))];
    return left - right > height * WORD_GAP ? [{ base: ' ', marks: [] } as Cluster<G>, cluster] : cluster;
  });
}

function partsOf<G extends Glyph>({ base, marks }: Placed<G>): G[] {
  return [base, ...marks];
}

/** From left to right. Marks belong to the letter above or below which they stand. */
function clustersOf<G extends Glyph>(glyphs: readonly G[]): Placed<G>[] {
  const letters = glyphs.filter(({ text }) => !MARK.test(text));
  const clusters: Placed<G>[] = [];
  // some fonts draw the dots of a letter on their own, and files name the letter for each drawing
  for (const base of letters.toSorted((one, other) => widthOf(other) - widthOf(one)))
    if (!isRightToLeft(base.text) || !clusters.some((other) => other.base.text === base.text && isWithin(base, other.base)))
      clusters.push({ base, marks: [] });
  for (const mark of glyphs.filter(({ text }) => MARK.test(text))) {
    const owner = ownerOf(mark, clusters);
    if (!owner) clusters.push({ base: mark, marks: [] });
    else if (owner.marks.every(({ text }) => text !== mark.text)) owner.marks.push(mark);
  }
  for (const { marks } of clusters) if (marks.length > 1) sortMarks(marks);
  return clusters.sort((one, other) => centerOf(one.base) - centerOf(other.base));
}

/** The letter of a mark: that of the same drawing, or else the one above or below which it stands. */
function ownerOf<G extends Glyph>(mark: G, clusters: readonly Placed<G>[]): Placed<G> | undefined {
  const letters = clusters.filter(({ base }) => LETTER.test(base.text));
  const nearest = (some: readonly Placed<G>[]) =>
    some.toSorted((one, other) => distanceOf(mark, one.base) - distanceOf(mark, other.base)).at(0);
  return (
    nearest(letters.filter(({ base }) => base.drawing !== undefined && base.drawing === mark.drawing)) ??
    letters
      .filter(({ base }) => sharedBy(mark, base) >= Math.min(widthOf(mark), widthOf(base)) / 2)
      .toSorted((one, other) => sharedBy(mark, other.base) - sharedBy(mark, one.base))
      .at(0)
  );
}

/** In the canonical order of Unicode. */
function sortMarks(marks: Glyph[]): void {
  const order = marks.map(textOf).join('').normalize('NFD');
  marks.sort((one, other) => order.indexOf(one.text) - order.indexOf(other.text));
}

function distanceOf(one: Glyph, other: Glyph): number {
  return Math.abs(centerOf(one) - centerOf(other));
}

/**
 * The order in which a line is read, of which `text` has the characters from left to right. Rules of the Unicode algorithm depend on what
 * is read before a number, so the text of a line from the right is turned first; its runs from the left are then turned back.
 */
function ordering(text: string, isPageRightToLeft: boolean): number[] {
  const letters = Array.from(text).filter((letter) => LETTER.test(letter));
  const [first, last] = [letters[0], letters.at(-1) ?? ''];
  const isLineRightToLeft = isPageRightToLeft || (isRightToLeft(first) && isRightToLeft(last));
  const indexes = Array.from(text, (_, index) => index);
  if (!isLineRightToLeft) return bidi.getReorderedIndices(text, bidi.getEmbeddingLevels(text, 'ltr'));
  indexes.reverse();
  const { levels } = bidi.getEmbeddingLevels(indexes.map((index) => text[index]).join(''), 'rtl');
  for (let from = 0; from < levels.length; from++) {
    if (levels[from] % 2 === 1) continue;
    let to = from;
    while (to < levels.length && levels[to] % 2 === 0) to++;
    indexes.splice(from, to - from, ...indexes.slice(from, to).reverse());
    from = to;
  }
  return indexes;
}

/** Files and PDFium mirror the brackets of texts from the right, or leave them; those of a text in reading order match. */
function withMatchingBrackets<G extends Glyph>(line: (G | ' ')[]): (G | ' ')[] {
  if (isBalanced(line.map(textOf))) return line;
  const mirrored = line.map((glyph) => mirroredGlyph(glyph));
  if (isBalanced(mirrored.map(textOf))) return mirrored;
  const open: string[] = [];
  return line.map((glyph) => {
    const opening = openingOf(textOf(glyph));
    if (opening === null || glyph === ' ') return glyph;
    const isClosing = open.at(-1) === opening;
    if (isClosing) open.pop();
    else open.push(opening);
    return (textOf(glyph) === opening) === isClosing ? mirroredGlyph(glyph) : glyph;
  });
}

function isBalanced(texts: readonly string[]): boolean {
  const open: string[] = [];
  for (const text of texts) {
    const opening = openingOf(text);
    if (opening === text) open.push(text);
    else if (opening !== null && open.pop() !== opening) return false;
  }
  return open.length === 0;
}

/** The opening bracket of the kind of a bracket; null for what is none. */
function openingOf(text: string): string | null {
  return bidi.openingToClosingBracket(text) === null ? bidi.closingToOpeningBracket(text) : text;
}

function mirroredGlyph<G extends Glyph>(glyph: G | ' '): G | ' ' {
  if (glyph === ' ' || openingOf(glyph.text) === null) return glyph;
  return { ...glyph, text: bidi.getMirroredCharacter(glyph.text) ?? glyph.text };
}

/** As the text has it: letters, whatever their form in a word. */
export function textOf(glyph: Glyph | ' '): string {
  return glyph === ' ' ? glyph : glyph.text.replace(FORMS, (form) => form.normalize('NFKC'));
}

function unitOf(text: string): string {
  if (text.length === 1) return text;
  return LETTER.test(text) ? STAND_IN.letter : STAND_IN.other;
}

function isWithin(one: Glyph, other: Glyph): boolean {
  return sharedBy(one, other) >= widthOf(one) / 2;
}

function sharedBy(one: Glyph, other: Glyph): number {
  return Math.min(one.right, other.right) - Math.max(one.left, other.left);
}

function widthOf({ left, right }: Glyph): number {
  return right - left;
}

function centerOf({ left, right }: Glyph): number {
  return (left + right) / 2;
}
