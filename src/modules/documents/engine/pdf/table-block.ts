import { plainText, type Node } from '../content/markdown.js';
import { textWidth } from '../typst/glyphs.js';
import { inlineParts, pictureSize, type Part } from './inline-parts.js';
import { alignmentOf, linesOf, pictureIn, tableLayout, type TableLayout } from './table-layout.js';

type Cell = Part[];

/** Of a line and of the text of a page, in points. */
export interface Room {
  width: number;
  height: number;
}

interface Row {
  together: boolean;
  cells: Cell[];
}

/** A table with its columns side by side, or with each row as a list of names and values. Lengths are in points. */
export type TableBlock =
  | {
      type: 'table';
      columns: { width: number; align: 'left' | 'center' | 'right' }[];
      size: number;
      gap: number;
      repeats_head: boolean;
      /** Whether it is so short that it stays on one page. */
      together: boolean;
      head: Cell[];
      /** Rows that stay `together` are not broken between pages. */
      rows: Row[];
      /** Rows that are kept on one page with the totals, so that no row is alone on the next page. */
      last: Row[];
      totals: Cell[];
    }
  | { type: 'lists'; lists: { together: boolean; pairs: [name: Cell, value: Cell][] }[] };

/** Of a page. Higher rows may be broken between pages. */
const SHORT = 0.5;
const LAST_ROWS = 2;
const LIST = { size: 9, names: 0.34, values: 0.66 };
const LINE_HEIGHT = 1.5;
/** Lines are rarely filled to their end. */
const RAGGED = 1.25;

export function tableBlock(node: Node, { width, height }: Room): TableBlock {
  const short = height * SHORT;
  const [head, ...rows] = node.children.filter(({ type }) => type !== 'tfoot').flatMap(({ children }) => children);
  const totals = node.children.filter(({ type }) => type === 'tfoot').flatMap(({ children }) => children);
  const layout = tableLayout([head, ...rows, ...totals], width);
  return layout ? sideBySide(head, rows, totals, layout, short) : lists(head, rows, totals, width, short);
}

function sideBySide(head: Node, rows: Node[], totals: Node[], { widths, gap, fontSize }: TableLayout, short: number): TableBlock {
  const cells = (row: Node) => row.children.map((cell, column) => cellParts(cell, widths[column], fontSize));
  const heightOf = (row: Node) => Math.max(...row.children.map((cell, column) => cellHeight(cell, widths[column], fontSize)));
  const rowOf = (row: Node): Row => ({ together: heightOf(row) <= short, cells: cells(row) });
  const end = rows.slice(-LAST_ROWS);
  const last = [...end, ...totals].reduce((sum, row) => sum + heightOf(row), 0) <= short ? end.length : 0;
  const repeats_head = heightOf(head) <= short;
  return {
    type: 'table',
    columns: head.children.map((cell, column) => ({ width: widths[column] + gap, align: alignmentOf(rows[0]?.children[column] ?? cell) })),
    size: fontSize,
    gap,
    repeats_head,
    // the head would stay alone on a page if all rows moved on
    together: repeats_head && last === rows.length,
    head: cells(head),
    rows: rows.slice(0, rows.length - last).map(rowOf),
    last: rows.slice(rows.length - last).map(rowOf),
    totals: totals.flatMap(cells),
  };
}

function lists(head: Node, rows: Node[], totals: Node[], width: number, short: number): TableBlock {
  const [nameWidth, valueWidth] = [width * LIST.names, width * LIST.values];
  const listOf = (row: Node) => {
    const pairs = row.children
      .map((cell, column) => ({ cell, name: head.children[column] }))
      // only some columns have a total
      .filter(({ cell }) => !totals.includes(row) || plainText(cell.children) !== '');
    const height = pairs.reduce((sum, { cell }) => sum + cellHeight(cell, valueWidth, LIST.size), 0);
    return {
      together: height <= short,
      pairs: pairs.map(({ cell, name }): [Cell, Cell] => [cellParts(name, nameWidth, LIST.size), cellParts(cell, valueWidth, LIST.size)]),
    };
  };
  return { type: 'lists', lists: (rows.length > 0 ? [...rows, ...totals] : [head]).map(listOf) };
}

function cellParts(cell: Node, width: number, fontSize: number): Cell {
  // a word may be bold, which is wider
  return inlineParts(cell.children, (word) => textWidth(word, 'serif', true, fontSize) > width);
}

/** A conservative estimate: rows higher than a page must not be kept together. */
function cellHeight(cell: Node, width: number, fontSize: number): number {
  const picture = pictureIn(cell);
  if (picture) return pictureSize(picture).height;
  const lines = linesOf(cell).map((line) => Math.max(1, Math.ceil((textWidth(line, 'serif', true, fontSize) * RAGGED) / width)));
  return lines.reduce((sum, count) => sum + count, 0) * fontSize * LINE_HEIGHT;
}
