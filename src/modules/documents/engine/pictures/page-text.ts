import { isMostlyRightToLeft, isRightToLeft, readingOrder, textOf, type Glyph } from './bidi-lines.js';
import type { Pdfium } from './pdfium-module.js';

/** The text of a page with more cannot be selected. */
const MOST_RUNS = 5_000;
const MOST_CHARACTERS = 200_000;
/** A gap between texts of one line that is wider, in heights of the line, is that of columns. */
const WIDEST_GAP = 1.2;
/** An overlap, in heights of the line, of letters that belong together: of kerning, of italics, of marks over letters. */
const MOST_OVERLAP = 0.5;
/** In radians. */
const UPRIGHT = 0.02;
/** The unit of positions that PDFium returns as integers. */
const GRAIN = 1_000_000;
/** Four doubles, or four floats and two integers. */
const BUFFER_BYTES = 40;

/** A run of text on one line. Its place is in fractions of the page, from its top left corner. */
export interface PageText {
  text: string;
  x: number;
  y: number;
  w: number;
  h: number;
}

type Box = Omit<PageText, 'text'>;

/** In the coordinates of the page. */
interface Area {
  left: number;
  bottom: number;
  right: number;
  top: number;
}

interface Run {
  text: string;
  /** Where its letters are drawn; null as long as it has none. */
  ink: Area | null;
  /** As high as the type, whatever the letters. */
  line: Area;
  angle: number;
}

/** A character of a page with text from the right. */
interface Letter extends Glyph {
  index: number;
  line: Area;
  ink: Area | null;
}

/** Letters of one line. */
interface Line {
  area: Area;
  letters: Letter[];
}

interface ReadLine {
  letters: Letter[];
  read: (Letter | ' ')[];
}

/** The text of an open page. */
export class TextOfPage {
  /** @param buffer of BUFFER_BYTES */
  private constructor(
    private readonly module: Pdfium,
    private readonly page: number,
    private readonly content: number,
    private readonly buffer: number,
  ) {}

  /** Null if the page has no text that can be read. */
  static on<R>(module: Pdfium, page: number, use: (text: TextOfPage) => R): R | null {
    const content = module.FPDFText_LoadPage(page);
    if (content === 0) return null;
    const { malloc, free } = module.pdfium.wasmExports;
    const buffer = malloc(BUFFER_BYTES);
    try {
      if (buffer === 0) throw new RangeError('The file takes too much memory.');
      return use(new TextOfPage(module, page, content, buffer));
    } finally {
      free(buffer);
      module.FPDFText_ClosePage(content);
    }
  }

  /**
   * Its runs in the order of the contents, each with the letters of one line, which may be of several fonts. PDFium's own look-up by the
   * box of a text also returns the letters beside it that reach into the box.
   */
  runs(): PageText[] {
    const count = this.module.FPDFText_CountChars(this.content);
    if (count > MOST_CHARACTERS) return [];
    const lines = this.linesFromRight();
    const runs: Run[] = (lines?.lines ?? []).map((line) => runOf(line));
    let run: Run | undefined;
    let object = 0;
    let space = '';
    for (let index = 0; index < count; index++) {
      if (lines?.isOnLine(index)) continue;
      const letter = this.letter(index);
      if (this.module.FPDFText_IsGenerated(this.content, index) === 1) {
        if (/[\r\n]/.test(letter)) run = undefined;
        else space = ' ';
        continue;
      }
      const owner = this.module.FPDFText_GetTextObject(this.content, index);
      if (!run || owner !== object) {
        const next = { text: '', ink: null, line: this.lineBox(index), angle: this.module.FPDFText_GetCharAngle(this.content, index) };
        if (!run || !continues(run, next)) {
          runs.push((run = next));
          space = '';
        }
        object = owner;
      }
      run.text += space + letter;
      space = '';
      run.line = around(run.line, this.lineBox(index));
      const ink = this.inkBox(index);
      if (ink && letter.trim() !== '') run.ink = run.ink ? around(run.ink, ink) : ink;
    }
    if (runs.length > MOST_RUNS) return [];
    return runs.flatMap(({ text, ink }) =>
      ink === null || text.trim() === '' ? [] : { text: text.toWellFormed(), ...this.shownBox(ink) },
    );
  }

  /** Without white space, and the index of the character for each unit of it. */
  withoutSpace(): { text: string; characters: number[] } {
    let text = '';
    const characters: number[] = [];
    const add = (letter: string, index: number) => {
      const visible = withoutSpace(letter);
      text += visible;
      for (let unit = 0; unit < visible.length; unit++) characters.push(index);
    };
    const lines = this.linesFromRight();
    for (const line of lines?.lines ?? []) for (const letter of line.read) if (letter !== ' ') add(textOf(letter), letter.index);
    const count = this.module.FPDFText_CountChars(this.content);
    for (let index = 0; index < count; index++) if (!lines?.isOnLine(index)) add(this.letter(index), index);
    return { text, characters };
  }

  /**
   * The lines of a page with text from the right, from top to bottom, as they are read; null for other pages. PDFium's own order of such
   * texts depends on how the file draws them.
   */
  private linesFromRight(): { lines: ReadLine[]; isOnLine: (index: number) => boolean } | null {
    const count = this.module.FPDFText_CountChars(this.content);
    if (count > MOST_CHARACTERS) return null;
    const texts = Array.from({ length: count }, (_, index) => this.letter(index));
    if (!texts.some(isRightToLeft)) return null;
    const letters: Letter[] = [];
    for (const [index, text] of texts.entries()) {
      const object = this.module.FPDFText_GetTextObject(this.content, index);
      if (object === 0 || Math.abs(Math.sin(this.module.FPDFText_GetCharAngle(this.content, index))) >= UPRIGHT) continue;
      const [area, ink] = [this.lineBox(index), this.inkBox(index)];
      const drawing = ink && [object, ink.bottom, ink.top, (ink.right - ink.left).toFixed(3)].join(' ');
      letters.push({ index, text, left: area.left, right: area.right, line: area, ink, drawing: drawing ?? undefined });
    }
    const lines = linesOf(letters);
    const isPageRightToLeft = isMostlyRightToLeft(texts);
    const read = lines
      .sort((one, other) => other.area.top - one.area.top)
      .flatMap((line) => parted(line, isPageRightToLeft))
      .map((letters) => ({ letters, read: readingOrder(letters, heightOf(letters), isPageRightToLeft) }));
    const known = new Set(letters.map(({ index }) => index));
    return { lines: read, isOnLine: (index) => known.has(index) };
  }

  /** Of the characters on the line of the first one, which a reader may see turned. */
  boxOf(characters: readonly number[]): Box {
    const boxes = characters.map((index) => this.shownBox(this.lineBox(index)));
    const [first, second = first] = boxes;
    const onOneLine = (one: Box, other: Box) => one.y < other.y + other.h && one.y + one.h > other.y;
    const onOneColumn = (one: Box, other: Box) => one.x < other.x + other.w && one.x + one.w > other.x;
    const isBeside = onOneLine(first, second) ? onOneLine : onOneColumn;
    return boxAround(boxes.filter((box) => isBeside(first, box)));
  }

  private letter(index: number): string {
    const code = this.module.FPDFText_GetUnicode(this.content, index);
    return code > 0x10ffff ? '' : String.fromCodePoint(code);
  }

  private lineBox(index: number): Area {
    this.module.FPDFText_GetLooseCharBox(this.content, index, this.buffer);
    const [left, top, right, bottom] = [0, 4, 8, 12].map((at) => this.module.pdfium.getValue(this.buffer + at, 'float')) as number[];
    return { left, bottom, right, top };
  }

  /** Null for a letter that has no area. */
  private inkBox(index: number): Area | null {
    const at = this.buffer;
    if (!this.module.FPDFText_GetCharBox(this.content, index, at, at + 8, at + 16, at + 24)) return null;
    const [left, right, bottom, top] = [0, 8, 16, 24].map((offset) => this.module.pdfium.getValue(at + offset, 'double')) as number[];
    return right > left && top > bottom ? { left, bottom, right, top } : null;
  }

  /** In fractions of the page as it is shown. */
  private shownBox({ left, bottom, right, top }: Area): Box {
    return boxBetween(this.shown(left, top), this.shown(right, bottom));
  }

  private shown(x: number, y: number): { x: number; y: number } {
    const at = this.buffer + 32;
    this.module.FPDF_PageToDevice(this.page, 0, 0, GRAIN, GRAIN, 0, x, y, at, at + 4);
    return { x: this.module.pdfium.getValue(at, 'i32') / GRAIN, y: this.module.pdfium.getValue(at + 4, 'i32') / GRAIN };
  }
}

function runOf({ letters, read }: ReadLine): Run {
  const inks = letters.flatMap(({ ink, text }) => (ink && text.trim() !== '' ? [ink] : []));
  const text = read.map(textOf).join('').trim();
  return { text, ink: inks.length > 0 ? inks.reduce(around) : null, line: letters.map(({ line }) => line).reduce(around), angle: 0 };
}

/** Low letters and marks belong to the line of high ones with which they share most. */
function linesOf(letters: readonly Letter[]): Line[] {
  const lines: Line[] = [];
  const height = heightOf(letters);
  const isLow = ({ line }: Letter) => line.top - line.bottom < height / 2;
  for (const letter of [...letters.filter((one) => !isLow(one)), ...letters.filter(isLow)]) {
    const shares = lines.map(({ area }) => levelOf(area, letter.line));
    const most = Math.max(...shares);
    const line = lines[shares.indexOf(most)] as Line | undefined;
    if (!line || most <= (isLow(letter) ? 0 : 0.5)) {
      lines.push({ area: letter.line, letters: [letter] });
      continue;
    }
    line.letters.push(letter);
    if (!isLow(letter)) line.area = around(line.area, letter.line);
  }
  return lines;
}

/** How much of the lower one of two areas lies beside the other. */
function levelOf(one: Area, other: Area): number {
  const height = Math.min(one.top - one.bottom, other.top - other.bottom);
  const shared = sharedBy([one.bottom, one.top], [other.bottom, other.top]);
  // a joiner has no area
  return height > 0 ? shared / height : shared + 1;
}

/** The columns of a line, in the order in which they are read. */
function parted({ letters }: Line, isPageRightToLeft: boolean): Letter[][] {
  const height = heightOf(letters);
  const parts: Letter[][] = [];
  let right = -Infinity;
  for (const letter of letters.sort((one, other) => one.left - other.left)) {
    if (letter.text.trim() === '' || letter.left - right < height * WIDEST_GAP) (parts.at(-1) ?? (parts[0] = [])).push(letter);
    else parts.push([letter]);
    if (letter.text.trim() !== '') right = Math.max(right, letter.right);
  }
  return isPageRightToLeft ? parts.reverse() : parts;
}

/** Of the type of a line: the boxes of some letters are no higher than the letters. */
function heightOf(letters: readonly Letter[]): number {
  return letters.reduce((most, { line }) => Math.max(most, line.top - line.bottom), 0);
}

/** Whether a text goes on with what another font or operator draws: beside it, on the same line. Texts that are askew do not. */
function continues(run: Run, next: Pick<Run, 'line' | 'angle'>): boolean {
  if (Math.abs(run.angle - next.angle) > UPRIGHT) return false;
  const isLevel = Math.abs(Math.sin(run.angle)) < UPRIGHT;
  if (!isLevel && Math.abs(Math.cos(run.angle)) >= UPRIGHT) return false;
  const along = ({ left, right, bottom, top }: Area): [number, number] => (isLevel ? [left, right] : [bottom, top]);
  const across = ({ left, right, bottom, top }: Area): [number, number] => (isLevel ? [bottom, top] : [left, right]);
  const height = Math.min(extentOf(across(run.line)), extentOf(across(next.line)));
  const gap = -sharedBy(along(run.line), along(next.line));
  return sharedBy(across(run.line), across(next.line)) > height / 2 && gap < height * WIDEST_GAP && gap > -height * MOST_OVERLAP;
}

function extentOf([from, to]: [number, number]): number {
  return to - from;
}

/** Negative for the gap between two that share nothing. */
function sharedBy([from, to]: [number, number], [otherFrom, otherTo]: [number, number]): number {
  return Math.min(to, otherTo) - Math.max(from, otherFrom);
}

function around(one: Area, other: Area): Area {
  return {
    left: Math.min(one.left, other.left),
    bottom: Math.min(one.bottom, other.bottom),
    right: Math.max(one.right, other.right),
    top: Math.max(one.top, other.top),
  };
}

function boxBetween(one: { x: number; y: number }, other: { x: number; y: number }): Box {
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)];
  return { x, y, w: Math.max(one.x, other.x) - x, h: Math.max(one.y, other.y) - y };
}

function boxAround(boxes: readonly Box[]): Box {
  const corners = boxes.flatMap(({ x, y, w, h }) => [
    { x, y },
    { x: x + w, y: y + h },
  ]);
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
  return boxBetween({ x: Math.min(...xs), y: Math.min(...ys) }, { x: Math.max(...xs), y: Math.max(...ys) });
}

/** Ligatures and other variants of letters as the letters. A soft hyphen, or one that PDFium supposes at a line's end, is no text. */
export function withoutSpace(text: string): string {
  return text.normalize('NFKC').replace(/[\s\p{C}\ufffe]+/gu, '');
}
