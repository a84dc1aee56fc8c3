import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { CommonErrors } from '../../../kit/index.js';

const MOST_ROWS = 10_000;
/** Every row is read by every heading, so a file of headings alone must not make ten thousand rows slow. */
const MOST_COLUMNS = 500;
const LONGEST_HEADING = 255;
export const LARGEST_FILE = 10 * 1024 * 1024;

const SLICE = 64 * 1024;
const DELIMITERS = [',', ';', '\t'];

/** The records of a file, the headings first; read a piece at a time so that other requests get their turn. */
export async function* csvRecords(file: Buffer): AsyncGenerator<string[]> {
  const parser = Readable.from(slices(file), { objectMode: false }).pipe(
    parse({ bom: true, delimiter: delimiterOf(file), trim: true, skip_empty_lines: true, relax_column_count: true }),
  );
  try {
    for await (const record of parser) yield record as string[];
  } catch (error) {
    if (error instanceof CsvError)
      throw CommonErrors.validationFailed({ param: 'file', message: `file is not well-formed CSV: ${error.message}` });
    throw error;
  }
}

/** The headings and how many rows follow; refuses what cannot be an import at all. */
export async function surveyed(file: Buffer): Promise<{ headings: string[]; rows: number }> {
  if (file.length > LARGEST_FILE)
    throw CommonErrors.payloadTooLarge({ message: `The file is larger than ${LARGEST_FILE} bytes; split it.` });
  if (!isUtf8Text(file)) throw CommonErrors.validationFailed({ param: 'file', message: 'file must be CSV as UTF-8 text' });
  let headings: string[] | null = null;
  let rows = 0;
  for await (const record of csvRecords(file)) {
    if (headings === null) headings = checkedHeadings(record);
    else if (++rows > MOST_ROWS) throw CommonErrors.payloadTooLarge({ message: `The file has more than ${MOST_ROWS} rows; split it.` });
  }
  if (headings === null || rows === 0)
    throw CommonErrors.validationFailed({ param: 'file', message: 'file must have a line of headings and at least one row' });
  return { headings, rows };
}

function checkedHeadings(headings: string[]): string[] {
  if (headings.length > MOST_COLUMNS)
    throw CommonErrors.validationFailed({ param: 'file', message: `file must have at most ${MOST_COLUMNS} columns` });
  if (headings.some((heading) => heading.length > LONGEST_HEADING))
    throw CommonErrors.validationFailed({ param: 'file', message: `file must have headings of at most ${LONGEST_HEADING} characters` });
  return headings;
}

/** Spreadsheets write semicolons where the comma is the decimal sign: what the headings have most of is it. */
function delimiterOf(file: Buffer): string {
  const end = file.indexOf('\n');
  const headings = file.subarray(0, end === -1 ? undefined : end).toString('utf8');
  const counts = DELIMITERS.map((delimiter) => headings.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))];
}

function isUtf8Text(file: Buffer): boolean {
  if (file.includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(file);
    return true;
  } catch {
    return false;
  }
}

function* slices(file: Buffer): Generator<Buffer> {
  for (let start = 0; start < file.length; start += SLICE) yield file.subarray(start, start + SLICE);
}
