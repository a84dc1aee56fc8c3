import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { CommonErrors } from '../errors/common-errors.js';
import { asUtf8, type CsvSource } from './csv-encoding.js';
import { csvRecords, LineTooLong, type CsvFormat, type CsvRecord, type Delimiter, type ReadFile } from './csv-records.js';
import { isLongerThan } from '../values/formats.js';

/** Reading takes rows times columns, so the number of columns is limited too. */
const MAX_COLUMNS = 500;
const MAX_HEADING_LENGTH = 255;
/** The number of bytes that are read at once. */
const PIECE_SIZE = 64 * 1024;

/** What may precede the headings: a byte order mark, blank lines, and the line that names the delimiter. */
const PREAMBLE = /^(?:\xef\xbb\xbf)?(?:[ \t]*\r?\n)*(?:"?sep=([,;\t])"?[ \t]*(?:\r?\n|\r)(?:[ \t]*\r?\n)*)?/i;
const PREAMBLE_BYTES = 1_024;
/** The most telling ones first: commas are more frequent in text than semicolons. */
const DELIMITERS: readonly Delimiter[] = ['\t', ';', ','];
const NAMES = { ',': 'comma', ';': 'semicolon', '\t': 'tab' } as const;
export const DELIMITER_NAMES = Object.values(NAMES);

/** What a module accepts. */
export interface CsvLimits {
  bytes: number;
  rows: number;
}

/** A file's headings, and its rows from an offset on, which must be 0 or the end of a row. */
export interface CsvRows {
  headings: string[];
  delimiter: Delimiter;
  rows: (from?: number) => AsyncGenerator<CsvRecord>;
}

/** Reads the headings. Rejects files without any, and those with unusable ones. */
export async function readCsv(read: ReadFile): Promise<CsvRows> {
  const format = formatOf(await read(0));
  const first = await csvRecords(read, format).next();
  if (first.done) throw noRows();
  const { cells, problem, end } = first.value;
  if (problem !== null) throw invalidFile(`file has unusable headings: ${problem.replace('the row', 'their line')}`);
  const { delimiter } = format;
  return { headings: requireHeadings(cells), delimiter, rows: (from = 0) => csvRecords(read, format, Math.max(from, end)) };
}

/** How a file was read. */
export interface CsvReading {
  /** As in the Encoding Standard, such as windows-1252. */
  encoding: string;
  delimiter: (typeof DELIMITER_NAMES)[number];
}

/** A file that can be imported. */
export interface InspectedCsv extends CsvReading {
  /** The file as UTF-8, which `readCsv` expects. */
  text: Buffer;
  headings: string[];
  rows: number;
}

/**
 * Converts a file and counts its rows. Rejects files that cannot be imported.
 *
 * @example
 * ```ts
 * import { IMPORT_LIMITS, inspectCsv, type CsvSource } from 'work-suite/kit';
 *
 * export const rowsOf = async (file: CsvSource) => (await inspectCsv(file, IMPORT_LIMITS)).rows;
 * ```
 */
export async function inspectCsv(file: CsvSource, limits: CsvLimits): Promise<InspectedCsv> {
  let rows = 0;
  const read = await readFile(file, limits, () => rows++);
  return { ...read, rows };
}

/** The headings and all rows of a file that is small enough. Rejects files that cannot be imported. */
export async function readCsvTable(file: CsvSource, limits: CsvLimits): Promise<CsvReading & { headings: string[]; records: CsvRecord[] }> {
  const records: CsvRecord[] = [];
  const { headings, encoding, delimiter } = await readFile(file, limits, (record) => records.push(record));
  return { headings, encoding, delimiter, records };
}

async function readFile(
  file: CsvSource,
  { bytes: size, rows: most }: CsvLimits,
  onRecord: (record: CsvRecord) => void,
): Promise<CsvReading & { text: Buffer; headings: string[] }> {
  if (file.bytes.length > size)
    throw CommonErrors.payloadTooLarge({ param: 'file', message: `The file is larger than ${size} bytes; split it.` });
  const { bytes: text, encoding } = await asUtf8(file);
  try {
    const csv = await readCsv(piecesOf(text));
    let rows = 0;
    for await (const record of csv.rows()) {
      if (++rows > most) throw CommonErrors.payloadTooLarge({ param: 'file', message: `The file has more than ${most} rows; split it.` });
      onRecord(record);
    }
    if (rows === 0) throw noRows();
    return { text, encoding, delimiter: NAMES[csv.delimiter], headings: csv.headings };
  } catch (error) {
    throw error instanceof LineTooLong ? invalidFile(error.message) : error;
  }
}

/** Lets other requests proceed after each piece. */
function piecesOf(file: Buffer): ReadFile {
  return async (offset) => {
    await yieldToEventLoop();
    return file.subarray(offset, offset + PIECE_SIZE);
  };
}

function requireHeadings(headings: string[]): string[] {
  if (headings.length > MAX_COLUMNS) throw invalidFile(`file must have at most ${MAX_COLUMNS} columns`);
  if (headings.some((heading) => isLongerThan(heading, MAX_HEADING_LENGTH)))
    throw invalidFile(`file must have headings of at most ${MAX_HEADING_LENGTH} characters`);
  return headings;
}

/** Spreadsheets write a first line such as `sep=;`, which names the delimiter; blank lines may precede the headings. */
function formatOf(head: Buffer): CsvFormat {
  const [{ length: start }, named] = PREAMBLE.exec(head.toString('latin1', 0, PREAMBLE_BYTES)) ?? [''];
  const text = head.toString('latin1', start);
  // quoted cells have line ends of their own
  const unquoted = text.replace(/"[^"]*"/g, '');
  // spreadsheets on a Mac end lines with carriage returns alone
  const lineEnd = unquoted.split(/\r(?!\n)/).length > unquoted.split('\n').length ? '\r' : '\n';
  return { start, lineEnd, delimiter: (named as Delimiter | undefined) ?? delimiterOf(unquoted.split(lineEnd, 1)[0]) };
}

/**
 * The most frequent delimiter in the headings, without quoted ones. Spreadsheets write semicolons where the comma is the decimal
 * separator.
 */
function delimiterOf(headings: string): Delimiter {
  const counts = DELIMITERS.map((delimiter) => headings.split(delimiter).length);
  const most = Math.max(...counts);
  return most === 1 ? ',' : DELIMITERS[counts.indexOf(most)];
}

function noRows() {
  return invalidFile('file must have a line of headings and at least one row');
}

function invalidFile(message: string) {
  return CommonErrors.validationFailed({ param: 'file', message });
}
