/** A quoted cell may span lines, but a quotation mark that opens one by mistake must not take the rest of the file with it. */
const LONGEST_RECORD = 256 * 1024;

export type Delimiter = ',' | ';' | '\t';

/** One record of a CSV file. */
export interface CsvRecord {
  cells: string[];
  /** Why the record cannot be read: it has only the cells before the fault then, and ends with its first line. */
  problem: string | null;
  /** The offset of the next record, in bytes. */
  end: number;
}

export interface CsvFormat {
  delimiter: Delimiter;
  lineEnd: '\n' | '\r';
  /** The offset of the headings. */
  start: number;
}

/** The bytes of a file from an offset on: as many as are available, none at its end. */
export type ReadFile = (offset: number) => Promise<Buffer>;

export class LineTooLong extends Error {}

const STRAY_QUOTE =
  'the row has a quotation mark that neither begins nor ends a cell; put the cell into quotation marks and double those inside it';
const UNCLOSED_QUOTE = 'the row has a cell whose quotation mark is not closed';

/**
 * The records from an offset on, without blank lines and rows of empty cells, which spreadsheets write below a table. No library reads on
 * after a stray quotation mark: here its row ends with the line, and the next line is the next row. The bytes are handled as Latin-1, so
 * that offsets count bytes; cells are UTF-8.
 */
export async function* csvRecords(read: ReadFile, format: CsvFormat, from = format.start): AsyncGenerator<CsvRecord> {
  let text = '';
  let base = from;
  let at = 0;
  for (let isLast = false; ;) {
    const record = at < text.length ? recordAt(text, at, isLast, format) : null;
    if (record !== null) {
      at = record.end;
      if (record.problem !== null || !isBlank(record.cells)) yield { ...record, end: base + at };
    } else if (isLast) {
      return;
    } else {
      if (text.length - at > 2 * LONGEST_RECORD) throw new LineTooLong(`file has a line of more than ${2 * LONGEST_RECORD} bytes`);
      const piece = await read(base + text.length);
      text = text.slice(at) + piece.toString('latin1');
      base += at;
      at = 0;
      isLast = piece.length === 0;
    }
  }
}

/** The record at `start`, or null if it needs more text than there is. */
function recordAt(text: string, start: number, isLast: boolean, { delimiter, lineEnd }: CsvFormat): CsvRecord | null {
  const lineBreak = text.indexOf(lineEnd, start);
  if (lineBreak < 0 && !isLast) return null;
  const line = text.slice(start, lineBreak < 0 ? undefined : lineBreak);
  const nextLine = lineBreak < 0 ? text.length : lineBreak + 1;
  if (!line.includes('"')) return { cells: line.split(delimiter).map(unquoted), problem: null, end: nextLine };
  const isShort = text.length - start <= LONGEST_RECORD;
  const cells: string[] = [];
  const broken = (problem: string): CsvRecord => ({ cells, problem, end: nextLine });
  for (let at = start; ; at++) {
    const opening = afterBlanks(text, at, delimiter, lineEnd);
    if (text[opening] === '"') {
      const closing = closingQuote(text, opening + 1);
      at = afterBlanks(text, closing + 1, delimiter, lineEnd);
      if ((closing < 0 || at === text.length) && !isLast && isShort) return null;
      if (closing < 0) return broken(UNCLOSED_QUOTE);
      if (at < text.length && text[at] !== delimiter && text[at] !== lineEnd) return broken(STRAY_QUOTE);
      cells.push(decoded(text.slice(opening + 1, closing).replaceAll('""', '"')));
    } else {
      const begin = at;
      while (at < text.length && text[at] !== delimiter && text[at] !== lineEnd && text[at] !== '"') at++;
      if (text[at] === '"') return broken(STRAY_QUOTE);
      if (at === text.length && !isLast && isShort) return null;
      cells.push(unquoted(text.slice(begin, at)));
    }
    if (text[at] !== delimiter) return { cells, problem: null, end: Math.min(at + 1, text.length) };
  }
}

/** The offset of the quotation mark that closes a cell, or -1. Doubled marks are part of the cell. */
function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at;
}

function afterBlanks(text: string, from: number, delimiter: string, lineEnd: string): number {
  let at = from;
  while ((text[at] === ' ' || text[at] === '\t' || text[at] === '\r') && text[at] !== delimiter && text[at] !== lineEnd) at++;
  return at;
}

function isBlank(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === '');
}

function unquoted(cell: string): string {
  return decoded(cell).trim();
}

function decoded(cell: string): string {
  return /[\u0080-\u00ff]/.test(cell) ? Buffer.from(cell, 'latin1').toString('utf8') : cell;
}
