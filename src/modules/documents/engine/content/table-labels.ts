import type { Token } from 'markdown-it';

/** With more cells, the labels would make up most of the page. */
const MOST_CELLS = 3_000;
const LONGEST_LABEL = 100;
/** Characters that fit side by side on a phone, and on a page of full width. */
const PHONE = 34;
const PAGE = 80;
/** The space between columns, in characters. */
const GAP = 2.3;
/** By tag. Narrow screens show the cells as blocks, which removes the meaning of the elements for screen readers. */
const ROLES: Record<string, string> = {
  table: 'table',
  thead: 'rowgroup',
  tbody: 'rowgroup',
  tfoot: 'rowgroup',
  tr: 'row',
  th: 'columnheader',
  td: 'cell',
};

/**
 * Prepares tables for screens on which the columns do not fit side by side: on a phone (class `some`) or on any screen (class
 * `many`). The style then shows each row as a list, so each cell gets the name of its column.
 */
export function forNarrowScreens(tokens: Token[]): Token[] {
  for (let start = 0; start < tokens.length; start++) {
    if (tokens[start].type !== 'table_open') continue;
    const end = tokens.findIndex(({ type }, index) => index > start && type === 'table_close');
    label(tokens.slice(start, end));
    start = end;
  }
  return tokens;
}

function label(table: readonly Token[]): void {
  const names = table.flatMap(({ type }, index) => (type === 'th_open' ? [textOf(table[index + 1])] : []));
  const cells = table.filter(({ type }) => type === 'td_open');
  const needed = charactersOf(table, names.length);
  if (names.length < 2 || needed <= PHONE || cells.length > MOST_CELLS) return;
  table[0].attrSet('class', needed <= PAGE ? 'some' : 'many');
  cells.forEach((cell, index) => cell.attrSet('data-label', names[index % names.length]));
  for (const token of table) if (token.nesting === 1 && token.tag in ROLES) token.attrSet('role', ROLES[token.tag]);
}

/** The characters of a line in which no word is broken. */
function charactersOf(table: readonly Token[], columns: number): number {
  const widest = Array<number>(columns).fill(0);
  let column = 0;
  table.forEach((token, index) => {
    if (token.type === 'tr_open') column = 0;
    if (token.type !== 'td_open' && token.type !== 'th_open') return;
    // amounts contain spaces at which no line ends
    for (const { length } of textOf(table[index + 1]).split(/[ \n]/)) widest[column] = Math.max(widest[column], length);
    column++;
  });
  return widest.reduce((sum, characters) => sum + characters + GAP, 0);
}

function textOf(inline: Token): string {
  const text = (inline.children ?? []).map(({ type, content }) => (type.endsWith('break') ? ' ' : content)).join('');
  return text.length > LONGEST_LABEL ? `${text.slice(0, LONGEST_LABEL).trimEnd()}…` : text;
}
