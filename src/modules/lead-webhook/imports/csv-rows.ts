import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { CommonErrors } from '../../../kit/index.js';

const MAX_ROWS = 10_000;
/** Reading takes rows times columns, so the number of columns is limited too. */
const MAX_COLUMNS = 500;
const MAX_HEADING_LENGTH = 255;
export const MAX_FILE_SIZE = 10 * 1024 * 1024;

const SLICE = 64 * 1024;
/** Of the bytes: a byte order mark, blank lines, and the line of the delimiter. */
const PREAMBLE = /^(?:\xef\xbb\xbf)?(?:[ \t]*\r?\n)*(?:sep=([,;\t])[ \t]*\r?\n(?:[ \t]*\r?\n)*)?/i;
const PREAMBLE_BYTES = 1_024;
const DELIMITERS = [',', ';', '\t'];

/** The records of a file, headings first. Reads in slices, so that other requests are not blocked. */
export async function* csvRecords(whole: Buffer): AsyncGenerator<string[]> {
  const { file, delimiter } = withoutPreamble(whole);
  const parser = Readable.from(slices(file), { objectMode: false }).pipe(
    parse({ bom: true, delimiter, trim: true, skip_empty_lines: true, relax_column_count: true }),
  );
  try {
    for await (const record of parser) yield record as string[];
  } catch (error) {
    if (error instanceof CsvError)
      throw CommonErrors.validationFailed({ param: 'file', message: `file is not well-formed CSV: ${error.message}` });
    throw error;
  }
}

/** The headings and the number of rows. Rejects files that cannot be imported. */
export async function inspectCsv(file: Buffer): Promise<{ headings: string[]; rows: number }> {
  if (file.length > MAX_FILE_SIZE)
    throw CommonErrors.payloadTooLarge({ message: `The file is larger than ${MAX_FILE_SIZE} bytes; split it.` });
  if (!isUtf8Text(file)) throw CommonErrors.validationFailed({ param: 'file', message: 'file must be CSV as UTF-8 text' });
  let headings: string[] | null = null;
  let rows = 0;
  for await (const record of csvRecords(file)) {
    if (headings === null) headings = requireHeadings(record);
    else if (++rows > MAX_ROWS) throw CommonErrors.payloadTooLarge({ message: `The file has more than ${MAX_ROWS} rows; split it.` });
  }
  if (headings === null || rows === 0)
    throw CommonErrors.validationFailed({ param: 'file', message: 'file must have a line of headings and at least one row' });
  return { headings, rows };
}

function requireHeadings(headings: string[]): string[] {
  if (headings.length > MAX_COLUMNS)
    throw CommonErrors.validationFailed({ param: 'file', message: `file must have at most ${MAX_COLUMNS} columns` });
  if (headings.some((heading) => heading.length > MAX_HEADING_LENGTH))
    throw CommonErrors.validationFailed({ param: 'file', message: `file must have headings of at most ${MAX_HEADING_LENGTH} characters` });
  return headings;
}

/** Spreadsheets write a first line such as `sep=;`, which names the delimiter; blank lines may precede the headings. */
function withoutPreamble(whole: Buffer): { file: Buffer; delimiter: string } {
  const [preamble, named] = PREAMBLE.exec(whole.toString('latin1', 0, PREAMBLE_BYTES)) ?? [''];
  const file = whole.subarray(preamble.length);
  return { file, delimiter: named ?? delimiterOf(file) };
}

/** The most frequent delimiter in the headings. Spreadsheets write semicolons where the comma is the decimal separator. */
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
