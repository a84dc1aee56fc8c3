import type { Type } from '@nestjs/common';
import { CommonErrors } from '../errors/common-errors.js';
import type { CsvSource } from './csv-encoding.js';
import { CsvLocale } from './csv-locale.js';
import { dryRun } from './dry-run.js';
import { readCsvTable, type CsvReading } from './csv-rows.js';
import { DomainError, type ErrorDetail } from '../errors/errors.js';
import type { FieldSpec } from '../fields/field-specification.js';
import { fieldsOf } from '../fields/fields.js';
import { firstCharacters } from '../values/formats.js';
import type { ImportQuery, ImportResultDto, ImportRowErrorDto, MoneyImportQuery } from './import.dto.js';
import { cellReader, type RawRow } from './import-cells.js';
import type { Tx } from '../store/store.js';
import { readFields } from '../fields/read-fields.js';

/** The largest file that an import accepts. */
export const IMPORT_LIMITS = { bytes: 10 * 1024 * 1024, rows: 10_000 };

/**
 * The body of an import, as OpenAPI has it.
 *
 * @example
 * ```ts
 * import { csvUpload } from 'work-suite/kit';
 *
 * export const upload = csvUpload('A trip per row.', 'title,starts_on\r\nLyon,2026-11-29\r\n');
 * ```
 */
export function csvUpload(description: string, example: string) {
  return {
    'text/csv': {
      type: 'string',
      description:
        `${description} Headings first, at most 10 MiB and 10,000 rows, separated by commas, semicolons or tabs. UTF-8, UTF-16 or ` +
        'Windows-1252 if it is in a Western European language; the Content-Type may name another charset.',
      example,
    },
  };
}

const MOST_ERRORS = 1_000;
const ROWS_TOGETHER = 100;
const LONGEST_MESSAGE = 500;
const MORE_CELLS = 'the row has more cells than there are headings; put a cell that contains the delimiter into quotation marks';

/** A row whose fields are valid by themselves. */
export interface ValidRow<T> {
  /** From 1. */
  row: number;
  value: T;
}

/** A file read by the fields of a DTO. A column matches a field if their names are equal, ignoring case, spaces and hyphens. */
export interface ImportFile<T> extends CsvReading {
  locale: string | null;
  rows: number;
  valid: ValidRow<T>[];
  /** What could be read from the other rows; an unreadable row is missing. */
  invalid: ValidRow<Partial<T>>[];
  errors: ImportRowErrorDto[];
  ignored_columns: string[];
}

type ImportOptions = Pick<ImportQuery, 'locale'> &
  Pick<MoneyImportQuery, 'amounts'> & {
    timezone?: string;
    /** Of `CustomFieldCatalog.columns`. Their values are in `custom_fields` of the rows, which the service checks. */
    customFields?: ReadonlyMap<string, FieldSpec>;
  };

/**
 * Reads a file by the fields of a DTO. `currencies` finds the currency of each row, which amounts in major units need; null if the row
 * does not tell. `timezone` is the zone of times without an offset.
 *
 * @example
 * ```ts
 * import { readImport, type CsvSource, type ImportQuery } from 'work-suite/kit';
 * import { CreateTripDto } from './trip.dto.js';
 *
 * export async function read(file: CsvSource, query: ImportQuery) {
 *   const { valid, errors } = await readImport(CreateTripDto, file, query);
 *   return { titles: valid.map(({ value }) => value.title), errors };
 * }
 * ```
 */
export async function readImport<T extends object>(
  dto: Type<T>,
  file: CsvSource,
  { locale: tag, amounts, timezone, customFields = new Map() }: ImportOptions,
  currencies?: (rows: readonly RawRow[]) => Promise<readonly (string | null)[]>,
): Promise<ImportFile<T>> {
  const locale = CsvLocale.of(tag);
  const { headings, records, encoding, delimiter } = await readCsvTable(file, IMPORT_LIMITS).catch((error: unknown) => {
    throw ofBody(error);
  });
  const fields = new Map([...fieldsOf(dto), ...customFields].filter(([, { customFieldsOf }]) => customFieldsOf === undefined));
  const names = headings.map((heading) =>
    heading
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, '_'),
  );
  requireColumns(names, fields);
  requireCustomFields(headings, names, customFields);
  const repeated = names.find((name, index) => fields.has(name) && names.indexOf(name) !== index);
  if (repeated !== undefined)
    throw CommonErrors.validationFailed({ param: 'body', message: `body must have one column ${repeated}, not several` });
  const result: ImportFile<T> = {
    encoding,
    delimiter,
    locale: locale?.tag ?? null,
    rows: records.length,
    valid: [],
    invalid: [],
    errors: [],
    ignored_columns: headings.filter((_, index) => !fields.has(names[index])),
  };
  const rawRows = records.map(({ cells }) => rawRow(names, cells, (name) => fields.has(name)));
  const found = amounts === 'major' ? await currencies?.(rawRows) : undefined;
  const read = cellReader(fields, { locale, timezone: timezone ?? null, areMajor: amounts === 'major' });
  for (const [index, { cells, problem: unreadable }] of records.entries()) {
    const row = index + 1;
    const problem = unreadable ?? (cells.slice(names.length).some((cell) => cell.trim() !== '') ? MORE_CELLS : null);
    const { input, damage, explained } = read(rawRows[index], found?.[index] ?? null);
    const { value, faults: broken } = readFields(dto, withCustomFields(input, customFields));
    const faults = [...damage, ...broken.filter(({ param }) => !damage.some((fault) => fault.param === param))];
    if (problem !== null) {
      result.errors.push({ row, code: 'validation_failed', param: null, message: problem });
      result.invalid.push({ row, value });
    } else if (faults.length === 0) {
      result.valid.push({ row, value });
    } else {
      result.invalid.push({ row, value });
      result.errors.push(
        ...faults.map((fault) => errorOf(row, { ...fault, message: damage.includes(fault) ? fault.message : explained(fault) })),
      );
    }
  }
  return result;
}

/** The cells of custom fields as one member. */
function withCustomFields(input: Record<string, unknown>, columns: ReadonlyMap<string, FieldSpec>): Record<string, unknown> {
  const own = Object.entries(input).filter(([name]) => !columns.has(name));
  const custom = Object.entries(input).filter(([name]) => columns.has(name));
  if (custom.length === 0) return input;
  const values = custom.map(([name, value]) => {
    const isList = columns.get(name)?.list !== undefined && typeof value === 'string';
    return [name.slice(name.indexOf('.') + 1), isList ? itemsOf(value) : value];
  });
  return { ...Object.fromEntries(own), custom_fields: Object.fromEntries(values) as Record<string, unknown> };
}

/** The items of a list: separated by commas or semicolons, or as an export writes them, in JSON. */
function itemsOf(cell: string): string[] {
  try {
    const items: unknown = JSON.parse(cell);
    // an option can be called [1]
    if (Array.isArray(items) && items.every((item) => typeof item === 'string')) return items;
  } catch {
    // no JSON
  }
  return cell.split(/[,;]/).map((item) => item.trim());
}

/** The file is the whole body here, not a field of a form. */
function ofBody(error: unknown): unknown {
  if (!(error instanceof DomainError) || error.occurrence.param !== 'file') return error;
  return new DomainError(error.spec, { ...error.occurrence, param: 'body', message: error.message.replace(/^file /, 'body ') });
}

/** Rejects a file whose every row would lack a field, such as one with a title above the headings. */
function requireColumns(names: readonly string[], fields: ReadonlyMap<string, FieldSpec>): void {
  const missing = [...fields].filter(([name, { required = true }]) => required && !names.includes(name)).map(([name]) => name);
  if (missing.length === 0) return;
  const fault = names.some((name) => fields.has(name))
    ? `body lacks the column ${missing.join(', ')}`
    : 'body has no known headings in its first line; remove the lines above them';
  const allowed = [...fields.keys()];
  throw CommonErrors.validationFailed({ param: 'body', message: `${fault}. Its columns can be ${allowed.join(', ')}`, allowed });
}

/** Other columns are ignored, but nobody calls a column so by accident. */
function requireCustomFields(headings: readonly string[], names: readonly string[], known: ReadonlyMap<string, FieldSpec>): void {
  const unknown = names.findIndex((name) => name.startsWith('custom_fields.') && !known.has(name));
  if (unknown === -1) return;
  const allowed = [...known.keys()];
  const hint = allowed.length === 0 ? 'remove the column' : `remove the column, or name one of ${allowed.join(', ')}`;
  const heading = (headings[unknown] as string).trim();
  throw CommonErrors.validationFailed({
    param: 'body',
    message: `body has the column ${heading}, for which there is no custom field; ${hint}`,
    ...(allowed.length > 0 && { allowed }),
  });
}

/** The cells by the fields of their columns, without empty ones. */
function rawRow(names: readonly string[], cells: readonly string[], isField: (name: string) => boolean): RawRow {
  const pairs = names.map((name, column) => [name, cells[column] ?? ''] as const);
  return Object.fromEntries(pairs.filter(([name, cell]) => cell.trim() !== '' && isField(name)));
}

function errorOf(row: number, { code, param, message }: ErrorDetail): ImportRowErrorDto {
  return { row, code: code === 'missing' ? 'missing_fields' : 'validation_failed', param, message };
}

/**
 * The error of a row that the service refused.
 *
 * @example
 * ```ts
 * import { invalid, refusalOf } from 'work-suite/kit';
 *
 * const error = refusalOf(7, invalid('title', 'must be unique')); // for the errors of an import
 * ```
 */
export function refusalOf(row: number, error: unknown): ImportRowErrorDto {
  if (!(error instanceof DomainError) || error.spec.status >= 500) throw error;
  return { row, code: error.spec.code, param: error.occurrence.param ?? null, message: firstCharacters(error.message, LONGEST_MESSAGE) };
}

/**
 * The result of the import, once all errors are known.
 *
 * @example
 * ```ts
 * import { importResult, readImport, type CsvSource, type ImportQuery } from 'work-suite/kit';
 * import { CreateTripDto } from './trip.dto.js';
 *
 * export const check = async (file: CsvSource, query: ImportQuery) => importResult(await readImport(CreateTripDto, file, query), true);
 * ```
 */
export function importResult(
  { rows, errors, ignored_columns, encoding, delimiter, locale }: ImportFile<object>,
  dry_run: boolean,
): ImportResultDto {
  const failed = new Set(errors.map(({ row }) => row)).size;
  const sorted = errors.toSorted((a, b) => a.row - b.row).slice(0, MOST_ERRORS);
  return { dry_run, rows, imported: rows - failed, failed, errors: sorted, encoding, delimiter, locale, ignored_columns };
}

interface RowHandlers<R, W> {
  isDryRun: boolean;
  /**
   * Up to 100 rows share a savepoint, which takes less time; if one of them is refused, they are written again one by one. `write` must
   * change nothing but the database, and constraints must find what rows of the file have in common, because `onWritten` comes later.
   */
  together?: boolean;
  onWritten?: (row: R, written: W) => void;
  /** Gets the error of the service or the database, and throws it if it is not about the row, as `refusalOf` does. */
  onRefusal: (row: R, error: unknown) => void;
}

/**
 * Writes each row in a savepoint, so that a row that is refused changes nothing and refuses no other. A dry run writes the rows, too, and
 * undoes them at the end: it finds the same errors. If another transaction takes a unique value of the row in the meantime, the row is
 * written `again`, and should look that value up.
 */
export async function writeRows<R, W>(
  tx: Tx,
  rows: readonly R[],
  write: (row: R, again: boolean) => Promise<W>,
  { isDryRun, together = false, onWritten, onRefusal }: RowHandlers<R, W>,
): Promise<void> {
  const writeEach = async (some: readonly R[]) => {
    for (const row of some) {
      let written: W;
      let runs = 0;
      try {
        written = await tx.attempt(() => {
          tx.advanced.retryOnConflict();
          return write(row, runs++ > 0);
        });
      } catch (error) {
        onRefusal(row, error);
        continue;
      }
      onWritten?.(row, written);
    }
  };
  const writeTogether = async (some: readonly R[]) => {
    const results: W[] = [];
    try {
      await tx.attempt(async () => {
        for (const row of some) results.push(await write(row, false));
      });
    } catch {
      // finds which row it is, and why
      return writeEach(some);
    }
    for (const [index, row] of some.entries()) onWritten?.(row, results[index]);
  };
  const writeAll = async () => {
    if (!together) return writeEach(rows);
    for (let start = 0; start < rows.length; start += ROWS_TOGETHER) await writeTogether(rows.slice(start, start + ROWS_TOGETHER));
  };
  if (rows.length > ROWS_TOGETHER) await tx.advanced.expectManyRows();
  await (isDryRun ? dryRun(tx, writeAll) : writeAll());
}
