import type { Content, CustomTableLayout } from 'pdfmake';
import { plainText, type Node } from '../content/markdown.js';
import { SANS } from './pdf-fonts.js';
import { inline, type Printable } from './pdf-inline.js';
import { height, SHORT } from './pdf-measure.js';
import { TEXT_WIDTH } from './pdf-page.js';
import { paragraphs } from './pdf-runs.js';
import { beginningHeight, table } from './pdf-table.js';

const HEADINGS = [
  { fontSize: 17, before: 0, after: 14 },
  { fontSize: 11.5, before: 14, after: 5 },
  { fontSize: 10, before: 10, after: 4 },
  { fontSize: 9.5, before: 8, after: 3 },
];
const PARAGRAPH_AFTER = 6;
const MARKER_GAP = 5;
const NARROWEST_ITEM = 300;
const QUOTE_INDENT = 12;
const RULE = '#8c8c8c';

const QUOTE_LAYOUT: CustomTableLayout = {
  hLineWidth: () => 0,
  vLineWidth: (line) => (line === 0 ? 1.5 : 0),
  vLineColor: () => RULE,
  paddingLeft: () => QUOTE_INDENT - 1.5,
  paddingRight: () => 0,
  paddingTop: () => 0,
  paddingBottom: () => 0,
};

/**
 * Renders blocks in order. The width (in points) is always fixed, because pdfmake breaks overlong words in columns of a fixed
 * width only; elsewhere they run off the page. A heading stays on the same page as the block that follows it.
 */
export function blocks(nodes: readonly Node[], text: Printable, width = TEXT_WIDTH): Content[] {
  const result: Content[] = [];
  let headings: Node[] = [];
  for (const node of nodes) {
    if (node.type === 'heading') {
      headings.push(node);
      continue;
    }
    const above = headings.map((each) => heading(each, text));
    const parts = block(node, text, width);
    const together = [...headings, parts.length > 1 ? node.children[0] : node];
    const whole = headings.length > 0 && parts.length > 0 && heightOf(together, width) <= SHORT;
    if (whole) result.push({ stack: [...above, parts[0]], unbreakable: true }, ...parts.slice(1));
    else if (headings.length > 0 && node.type === 'table') result.push(...aboveTable(headings, above, node, text, width));
    else result.push(...above, ...parts);
    headings = [];
  }
  return [...result, ...headings.map((each) => heading(each, text))];
}

/**
 * Headings above a table that is too long to keep together: the headings reserve room for the beginning of the table, and the
 * table moves up into it.
 */
function aboveTable(headings: readonly Node[], above: Content[], node: Node, text: Printable, width: number): Content[] {
  const room = beginningHeight(node, width);
  if (heightOf(headings, width) + room > SHORT) return [...above, ...table(node, text, width)];
  // the margin must be inside of the block that is kept together
  return [{ stack: [{ stack: above, margin: [0, 0, 0, room] }], unbreakable: true }, ...table(node, text, width, -room)];
}

function heightOf(nodes: readonly Node[], width: number): number {
  return nodes.reduce((sum, each) => sum + height(each, width), 0);
}

/** Returns a list as one part per item, so that its first item can stay with the heading above it. */
function block(node: Node, text: Printable, width: number): Content[] {
  switch (node.type) {
    case 'paragraph':
      return [{ stack: paragraphs(inline(node.children, text)), margin: [0, 0, 0, node.token.hidden ? 2 : PARAGRAPH_AFTER] }];
    case 'bullet_list':
    case 'ordered_list':
      return list(node, text, width);
    case 'blockquote':
      return [
        {
          table: { widths: [width - QUOTE_INDENT], body: [[{ stack: blocks(node.children, text, width - QUOTE_INDENT), italics: true }]] },
          layout: QUOTE_LAYOUT,
          margin: [0, 2, 0, PARAGRAPH_AFTER + 2],
        },
      ];
    case 'hr':
      return [{ canvas: [{ type: 'line', x1: 0, y1: 0, x2: width, y2: 0, lineWidth: 0.6, lineColor: RULE }], margin: [0, 8, 0, 10] }];
    case 'table':
      return table(node, text, width);
    default:
      return node.children.length > 0 ? blocks(node.children, text, width) : [];
  }
}

function heading(node: Node, text: Printable): Content {
  const level = Number(node.token.tag.slice(1));
  const { fontSize, before, after } = HEADINGS[Math.min(level, HEADINGS.length) - 1];
  const bookmark = text(plainText(node.children)).trim();
  // pdfmake fails on a bookmark for an empty line.
  return {
    text: inline(node.children, text),
    font: SANS,
    bold: true,
    fontSize,
    lineHeight: 1.2,
    margin: [0, before, 0, after],
    ...(bookmark && { outline: true, outlineText: bookmark }),
  } as Content;
}

function list(node: Node, text: Printable, width: number): Content[] {
  const start = Number(node.token.attrGet('start') ?? 1);
  const ordered = node.type === 'ordered_list';
  const marker = ordered ? 7 + 6 * String(start + node.children.length - 1).length : 12;
  const rest = width - marker - MARKER_GAP;
  const items = node.children.map((item, index): Content => {
    const sign = ordered ? `${start + index}.` : '•';
    // Nested too deeply to indent further.
    if (rest < NARROWEST_ITEM) return { stack: [{ text: sign }, ...blocks(item.children, text, width)] };
    return {
      columns: [
        { text: sign, width: marker },
        { stack: blocks(item.children, text, rest), width: rest },
      ],
      columnGap: MARKER_GAP,
      margin: [0, 0, 0, 1],
    };
  });
  return [...items.slice(0, -1), { stack: items.slice(-1), margin: [0, 0, 0, PARAGRAPH_AFTER - 2] }];
}
