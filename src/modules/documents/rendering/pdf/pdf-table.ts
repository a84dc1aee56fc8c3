import type { Content, CustomTableLayout, TableCell } from 'pdfmake';
import { plainText, type Node } from '../content/markdown.js';
import { SANS } from './pdf-fonts.js';
import { inline, type Printable } from './pdf-inline.js';
import { listHeight, rowHeight, rowsOf, SHORT } from './pdf-measure.js';
import { paragraphs } from './pdf-runs.js';
import { alignmentOf, cellFontSize, tableShape, type TableShape } from './table-shape.js';

const ABOVE = 4;
const BELOW = 12;
const PADDING = { top: 3.5, bottom: 2.5 };
const LINES = { thin: 0.4, thick: 0.9, pale: '#bfbfbf', dark: '#333333' };
/** Rows at the end of a table that stay on one page, beside the totals: none of them stands alone on the next page. */
const LAST_ROWS = 2;

/**
 * A table: its columns side by side if they fit, otherwise each row as a list of names and values. `up` moves it up, into room
 * that the block above has reserved.
 */
export function table(node: Node, text: Printable, width: number, up = 0): Content[] {
  const rows = rowsOf(node);
  const shape = tableShape(rows, width);
  return shape ? [sideBySide(node, rows, shape, text, up)] : lists(node, rows, text, width, up);
}

/** The height of what stays together at the beginning of a table: the heading of its columns and the first row. */
export function beginningHeight(node: Node, width: number): number {
  const rows = rowsOf(node);
  const shape = tableShape(rows, width);
  if (!shape) return ABOVE + listHeight((rows[1] ?? rows[0]).children, width);
  return rows.slice(0, 2).reduce((sum, row) => sum + rowHeight(row, shape.widths), ABOVE);
}

function sideBySide(node: Node, rows: readonly Node[], shape: TableShape, text: Printable, up: number): Content {
  const heights = rows.map((row) => rowHeight(row, shape.widths));
  const whole = heights.every((height) => height <= SHORT);
  const cells = rows.map((row) => row.children.map((cell) => cellOf(cell, shape.fontSize, text)));
  const end = Math.max(1, rows.length - LAST_ROWS - totalsOf(node).length);
  const kept = rows.length - end > 1 && heights.slice(end).reduce((sum, height) => sum + height, 0) <= SHORT;
  return {
    table: {
      headerRows: heights[0] <= SHORT ? 1 : 0,
      keepWithHeaderRows: whole ? 1 : 0,
      dontBreakRows: whole,
      widths: shape.widths,
      body: whole && kept ? [...cells.slice(0, end), together(cells.slice(end), shape)] : cells,
    },
    layout: layoutOf(shape.gap),
    margin: [0, ABOVE + up, 0, BELOW],
  };
}

/** Rows that stay on one page. pdfmake keeps a row together but not several, so they become a table in one row of the outer one. */
function together(cells: TableCell[][], { widths, gap }: TableShape): TableCell[] {
  const inner: Content = {
    table: { widths, body: cells },
    layout: {
      ...layoutOf(gap),
      hLineWidth: (line) => (line === 0 || line === cells.length ? 0 : LINES.thin),
      hLineColor: () => LINES.pale,
    },
    // the inner cells have the padding of the outer one
    margin: [-gap / 2, -PADDING.top, -gap / 2, -PADDING.bottom],
  };
  return [{ colSpan: widths.length, ...inner } as TableCell, ...widths.slice(1).map(() => ({ text: '' }))];
}

function cellOf(cell: Node, fontSize: number, text: Printable): TableCell {
  return {
    stack: paragraphs(inline(cell.children, text)),
    alignment: alignmentOf(cell),
    fontSize: cellFontSize(cell, fontSize),
    ...(cell.type === 'th' ? { font: SANS, bold: true } : {}),
  };
}

/** Draws lines between rows only. Space separates the columns. */
function layoutOf(gap: number): CustomTableLayout {
  return {
    hLineWidth: (line, { table: { headerRows } }) => (line === headerRows ? LINES.thick : line === 0 ? 0 : LINES.thin),
    vLineWidth: () => 0,
    hLineColor: (line, { table: { headerRows } }) => (line === headerRows ? LINES.dark : LINES.pale),
    paddingTop: () => PADDING.top,
    paddingBottom: () => PADDING.bottom,
    paddingLeft: () => gap / 2,
    paddingRight: () => gap / 2,
  };
}

/** One list per row: the names of the columns on the left, the values on the right. */
function lists(node: Node, rows: readonly Node[], text: Printable, width: number, up: number): Content[] {
  const gap = 12;
  const [head, ...others] = rows;
  const widths = [width * 0.34 - gap, width * 0.66 - gap];
  const totals = totalsOf(node);
  return (others.length > 0 ? others : [head]).map((row, index, all): Content => {
    const cells = row.children
      .map((cell, column) => ({ cell, name: head.children[column] }))
      // only some columns have a total
      .filter(({ cell }) => !totals.includes(row) || plainText(cell.children) !== '');
    const short =
      listHeight(
        cells.map(({ cell }) => cell),
        width,
      ) <= SHORT;
    return {
      table: {
        widths,
        dontBreakRows: short,
        body: cells.map(({ cell, name }) => [
          { ...(cellOf(name, 9, text) as object), alignment: 'left' } as TableCell,
          { ...(cellOf(cell, 9, text) as object), alignment: 'left' } as TableCell,
        ]),
      },
      layout: {
        ...layoutOf(gap),
        hLineWidth: (line) => (line === 0 || line === cells.length ? LINES.thick : 0),
        hLineColor: () => LINES.dark,
        paddingTop: () => 1.5,
        paddingBottom: () => 1.5,
      },
      unbreakable: short,
      margin: [0, index === 0 ? ABOVE + up : 0, 0, index === all.length - 1 ? BELOW : 6],
    };
  });
}

function totalsOf(node: Node): Node[] {
  return node.children.filter(({ type }) => type === 'tfoot').flatMap(({ children }) => children);
}
