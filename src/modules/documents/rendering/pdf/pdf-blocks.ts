import type { Content, CustomTableLayout, TableCell } from 'pdfmake';
import { plainText, type Node } from '../content/markdown.js';
import { SANS } from './pdf-fonts.js';
import { paragraphs, withBreaks, type Run, type Style } from './pdf-runs.js';
import { columnWidths, height, MANY_COLUMNS, rowHeight, rowsOf, SHORT } from './pdf-measure.js';
import { TEXT_WIDTH } from './pdf-page.js';

type Printable = (raw: string) => string;

const HEADINGS = [
  { fontSize: 17, before: 0, after: 14 },
  { fontSize: 11.5, before: 14, after: 5 },
  { fontSize: 10, before: 10, after: 4 },
  { fontSize: 9.5, before: 8, after: 3 },
];
const PARAGRAPH_AFTER = 6;
const LINK = /^(https?:|mailto:)/i;
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

/** Draws lines between rows only. Space separates the columns. */
function tableLayout(gap: number): CustomTableLayout {
  return {
    hLineWidth: (line, { table: { headerRows } }) => (line === headerRows ? 0.9 : line === 0 ? 0 : 0.4),
    vLineWidth: () => 0,
    hLineColor: (line, { table: { headerRows } }) => (line === headerRows ? '#333333' : '#bfbfbf'),
    paddingTop: () => 3.5,
    paddingBottom: () => 2.5,
    paddingLeft: () => gap / 2,
    paddingRight: () => gap / 2,
  };
}

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
    const whole = headings.length > 0 && parts.length > 0 && together.reduce((sum, each) => sum + height(each, width), 0) <= SHORT;
    result.push(...(whole ? [{ stack: [...above, parts[0]], unbreakable: true }, ...parts.slice(1)] : [...above, ...parts]));
    headings = [];
  }
  return [...result, ...headings.map((each) => heading(each, text))];
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
      return [table(node, text, width)];
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

function table(node: Node, text: Printable, width: number): Content {
  const rows = rowsOf(node);
  const widths = columnWidths(rows, width);
  const many = widths.length > MANY_COLUMNS;
  const body = rows.map((row) =>
    row.children.map((cell): TableCell => ({
      stack: paragraphs(inline(cell.children, text)),
      alignment: cell.token.attrGet('class') === 'right' ? 'right' : cell.token.attrGet('class') === 'center' ? 'center' : 'left',
      ...(cell.type === 'th' ? { font: SANS, bold: true, fontSize: many ? 6.5 : 8 } : { fontSize: many ? 7 : 9 }),
    })),
  );
  const whole = rows.every((row) => rowHeight(row, widths) <= SHORT);
  return {
    table: {
      headerRows: rowHeight(rows[0], widths) <= SHORT ? 1 : 0,
      keepWithHeaderRows: whole ? 1 : 0,
      dontBreakRows: whole,
      widths,
      body,
    },
    layout: tableLayout(many ? 2 : 6),
    margin: [0, 4, 0, 12],
  };
}

function inline(nodes: readonly Node[], text: Printable, style: Style = {}): Run[] {
  return nodes.flatMap((node): Run[] => {
    switch (node.type) {
      case 'inline':
        return inline(node.children, text, style);
      case 'strong':
        return inline(node.children, text, { ...style, bold: true });
      case 'em':
        return inline(node.children, text, { ...style, italics: true });
      case 's':
        return inline(node.children, text, { ...style, decoration: 'lineThrough' });
      case 'link':
        return inline(node.children, text, { ...style, ...linkTo(String(node.token.attrGet('href') ?? '')) });
      case 'softbreak':
        return [{ ...style, text: ' ' }];
      case 'hardbreak':
        return [{ ...style, text: '\n' }];
      default:
        return node.token.content === '' ? [] : withBreaks(text(node.token.content)).map((piece) => ({ ...style, text: piece }));
    }
  });
}

function linkTo(href: string): Style {
  return LINK.test(href) ? { link: href, color: '#0b4f9e', decoration: 'underline' } : {};
}
