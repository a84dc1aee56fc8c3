import type { Node } from '../content/markdown.js';
import { tableShape } from './table-shape.js';

/*
 * Estimates the height of blocks. pdfmake silently drops an unbreakable block that does not fit on a page, so only blocks that
 * are certainly shorter than a page may be unbreakable. The estimates therefore err on the high side.
 */

/** In points, half a page. Blocks up to this height may be unbreakable. */
export const SHORT = 340;

const WIDE_CHARACTER = 7;
const LINE = 13;
const BLOCK_GAP = 8;
const INDENT = 25;

export function height(node: Node, width: number): number {
  if (node.type === 'inline') return lines(node.children, width) * LINE;
  if (node.type === 'table') {
    const rows = rowsOf(node);
    const { widths } = tableShape(rows, width) ?? { widths: null };
    // a table that is too wide is printed as a list, one line or more per cell
    return rows.reduce((sum, row) => sum + (widths ? rowHeight(row, widths) : listHeight(row.children, width)), BLOCK_GAP * 2);
  }
  // Headings use a larger font.
  const inside = node.type === 'heading' ? width / 2 : node.type === 'list_item' || node.type === 'blockquote' ? width - INDENT : width;
  return node.children.reduce((sum, child) => sum + height(child, inside), BLOCK_GAP);
}

export function rowHeight(row: Node, widths: number[]): number {
  return (
    BLOCK_GAP +
    Math.max(
      ...row.children.map(
        (cell, column) =>
          lines(
            cell.children.flatMap((inline) => inline.children),
            widths[column],
          ) * LINE,
      ),
    )
  );
}

/** The height of cells below each other, each beside the name of its column. */
export function listHeight(cells: readonly Node[], width: number): number {
  return cells.reduce((sum, { children }) => sum + BLOCK_GAP / 2 + Math.max(1, lines(children, width * 0.6)) * LINE, BLOCK_GAP);
}

export function rowsOf(table: Node): Node[] {
  return table.children.flatMap((part) => part.children);
}

function lines(inline: readonly Node[], width: number): number {
  return textLines(inline).reduce(
    (sum, characters) => sum + Math.max(1, Math.ceil((characters * WIDE_CHARACTER) / Math.max(width, WIDE_CHARACTER))),
    0,
  );
}

/** The number of characters between the author's line breaks. */
function textLines(nodes: readonly Node[], result: number[] = [0]): number[] {
  for (const node of nodes) {
    if (node.children.length > 0) textLines(node.children, result);
    else if (node.type === 'hardbreak') result.push(0);
    else result[result.length - 1] += node.token.content.length;
  }
  return result;
}
