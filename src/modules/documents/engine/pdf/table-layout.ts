import { plainText, type Node } from '../content/markdown.js';
import { textWidth } from '../typst/glyphs.js';
import { pictureSize } from './inline-parts.js';

/** The layout of a printed table, in points. */
export interface TableLayout {
  /** Of the columns, without the gap between them. */
  widths: number[];
  gap: number;
  fontSize: number;
}

/** Font sizes and gaps to try, from the best. Columns never touch: the gap is at least the width of a wide letter. */
const SIZES = [
  { fontSize: 9, gap: 12 },
  { fontSize: 8, gap: 10 },
  { fontSize: 7, gap: 8 },
];
/** Text columns wider than this share the remaining width; words longer than `LONGEST_WORD` may be broken if they do not fit at all. */
const WIDEST = 190;
const LONGEST_WORD = 170;
/** Rounding, so that a word that fits exactly is not broken. */
const SLACK = 0.6;

/** What a column needs, from a comfortable width down to the narrowest in which only long words are broken. */
interface Wish {
  comfortable: number;
  words: number;
  narrowest: number;
}

/**
 * The widths of columns such that no word is broken, or else only long ones, and never a number. The font gets smaller if it
 * must. Null if the columns do not fit side by side.
 */
export function tableLayout(rows: readonly Node[], width: number): TableLayout | null {
  const count = rows[0].children.length;
  const attempts = SIZES.map((size) => ({ ...size, wishes: wishesOf(rows, size.fontSize), space: width - count * size.gap }));
  for (const need of ['comfortable', 'words', 'narrowest'] as const) {
    // a smaller font is justified to keep words whole, but not for a more comfortable width
    for (const { fontSize, gap, wishes, space } of need === 'comfortable' ? attempts.slice(0, 1) : attempts) {
      if (sum(wishes.map((wish) => wish[need])) > space) continue;
      return { fontSize, gap, widths: share(wishes, need, space) };
    }
  }
  return null;
}

/** Gives every column its minimum width, and divides the rest in proportion to the additional width that each would use. */
function share(wishes: readonly Wish[], need: keyof Wish, space: number): number[] {
  const rest = space - sum(wishes.map((wish) => wish[need]));
  const more = wishes.map((wish) => {
    if (need === 'comfortable') return wish.comfortable;
    // room goes to broken words first
    return need === 'narrowest' ? wish.words - wish.narrowest : wish.comfortable - wish.words + 1;
  });
  return wishes.map((wish, column) => wish[need] + (rest * more[column]) / sum(more));
}

function wishesOf(rows: readonly Node[], fontSize: number): Wish[] {
  return rows[0].children.map((_, column) => {
    const wish = { comfortable: 10, words: 10, narrowest: 10 };
    for (const row of rows) {
      const cell = row.children[column];
      const font = {
        family: cell.type === 'th' ? ('sans' as const) : ('serif' as const),
        bold: cell.type === 'th' || isBold(cell),
        fontSize: cellFontSize(cell, fontSize),
      };
      const isNumber = alignmentOf(cell) === 'right';
      for (const line of linesOf(cell)) {
        const words = line.split(/[ \t\n]+/).map((word) => textWidth(word, font.family, font.bold, font.fontSize) + SLACK);
        const longest = Math.max(...words);
        wish.words = Math.max(wish.words, longest);
        wish.narrowest = Math.max(wish.narrowest, isNumber && cell.type === 'td' ? longest : Math.min(longest, LONGEST_WORD));
        const whole = textWidth(line, font.family, font.bold, font.fontSize) + SLACK;
        wish.comfortable = Math.max(wish.comfortable, longest, Math.min(whole, WIDEST));
      }
      const picture = pictureIn(cell);
      if (picture)
        for (const need of ['comfortable', 'words', 'narrowest'] as const) wish[need] = Math.max(wish[need], pictureSize(picture).width);
    }
    return wish;
  });
}

/** Headings of columns are a little smaller. */
function cellFontSize(cell: Node, fontSize: number): number {
  return cell.type === 'th' ? fontSize - 0.5 : fontSize;
}

export function alignmentOf(cell: Node): 'left' | 'center' | 'right' {
  const side = cell.token.attrGet('class');
  return side === 'right' || side === 'center' ? side : 'left';
}

/** The barcode or picture that a cell consists of. */
export function pictureIn(cell: Node): Node | undefined {
  return cell.children.flatMap(({ children }) => children).find(({ type }) => type === 'barcode' || type === 'image');
}

/** The texts between the line breaks of a cell. */
export function linesOf(cell: Node): string[] {
  const lines: Node[][] = [[]];
  for (const inline of cell.children.flatMap(({ children }) => children)) {
    if (inline.type === 'hardbreak') lines.push([]);
    else lines.at(-1)?.push(inline);
  }
  return lines.map(plainText);
}

function isBold(cell: Node): boolean {
  return cell.type === 'strong' || cell.children.some(isBold);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
