import type { Node } from '../content/markdown.js';

/*
 * Estimates the height of blocks. pdfmake silently drops an unbreakable block that does not fit on a page, so only blocks that
 * are certainly shorter than a page may be unbreakable. The estimates therefore err on the high side.
 */

/** In points, half a page. Blocks up to this height may be unbreakable. */
export const SHORT = 340;
/** Tables with more columns use a smaller font. */
export const MANY_COLUMNS = 9;

const WIDE_CHARACTER = 7;
const LINE = 13;
const BLOCK_GAP = 8;
const INDENT = 25;
const NARROWEST = 6;
const WIDEST = 36;

export function height(node: Node, width: number): number {
  if (node.type === 'inline') return lines(node.children, width) * LINE;
  if (node.type === 'table') {
    const rows = rowsOf(node);
    const widths = columnWidths(rows, width);
    return rows.reduce((sum, row) => sum + rowHeight(row, widths), BLOCK_GAP * 2);
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

export function rowsOf(table: Node): Node[] {
  return table.children.flatMap((part) => part.children);
}

/** Divides the width, less the space between columns, in proportion to the longest text of each column. */
export function columnWidths(rows: readonly Node[], width: number): number[] {
  const columns = rows[0].children.length;
  const space = width - columns * (columns > MANY_COLUMNS ? 2 : 6);
  const wishes = rows[0].children.map((_, column) =>
    rows.reduce((widest, row) => Math.min(WIDEST, Math.max(widest, length(row.children[column]))), NARROWEST),
  );
  const all = wishes.reduce((sum, wish) => sum + wish, 0);
  return wishes.map((wish) => (wish / all) * space);
}

function length(cell: Node): number {
  return cell.children.flatMap((inline) => textLines(inline.children)).reduce((longest, line) => Math.max(longest, line), 0);
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
