import { Field } from '../fields/fields.js';
import { DELIMITER_NAMES, type CsvReading } from './csv-rows.js';

const LOCALE =
  'BCP 47 tag of the language in which the file writes numbers, dates, and yes and no, such as de-DE for 1.234,50, 28.11.2026 and ja. ' +
  'A time without an offset, such as 28.11.2026 14:30, is in the zone of the project. ' +
  'Without a locale, they are written as 1234.50, 2026-11-28 and true or false; nothing is guessed.';

/** The parameter by which an import knows how its file writes values. */
export const LOCALE_FIELD = { description: LOCALE, example: 'de-DE', maxLength: 35, required: false } as const;

/**
 * How to import a file. The platform tries a call with `dry_run` out as one with the header `Svc-Dry-Run`, which sets the field, unless
 * the route has transactions of its own.
 *
 * @example
 * ```ts
 * import { ImportQuery } from 'work-suite/kit';
 *
 * // project_id, locale and dry_run
 * export class ImportTripsQuery extends ImportQuery {}
 * ```
 */
export class ImportQuery {
  @Field.uuid({
    description: 'Project of the records; the default project if omitted.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a10',
    required: false,
  })
  project_id?: string;

  @Field.boolean({
    description: 'Only check the file; write nothing.',
    example: true,
    default: false,
    required: false,
  })
  dry_run?: boolean;

  @Field.string(LOCALE_FIELD)
  locale?: string;
}

export const AMOUNT_UNITS = ['minor', 'major'] as const;

/**
 * How to import a file with amounts of money.
 *
 * @example
 * ```ts
 * import { MoneyImportQuery } from 'work-suite/kit';
 *
 * // the same, and whether amounts are in major units
 * export class ImportCostsQuery extends MoneyImportQuery {}
 * ```
 */
export class MoneyImportQuery extends ImportQuery {
  @Field.oneOf(AMOUNT_UNITS, {
    description: 'Units of the amounts in the file: minor for 12000, major for 120.00, with the decimal mark of the locale.',
    example: 'major',
    default: 'minor',
    required: false,
  })
  amounts?: (typeof AMOUNT_UNITS)[number];
}

/** What is wrong with a row. */
export class ImportRowErrorDto {
  @Field.integer({
    description: 'The row, from 1, without the headings and empty rows.',
    example: 3,
    minimum: 1,
  })
  row: number;

  @Field.string({
    description: 'Error code.',
    example: 'duplicate',
  })
  code: string;

  @Field.string({
    description: 'The column, if it is one.',
    example: 'external_id',
    nullable: true,
  })
  param: string | null;

  @Field.string({
    description: 'What went wrong.',
    example: 'external_id erp-4711 exists already',
    maxLength: 2000,
  })
  message: string;
}

/** The result of an import. A module extends it by its `object`. */
export abstract class ImportResultDto {
  @Field.boolean({
    description: 'Whether the file was only checked.',
    example: false,
  })
  dry_run: boolean;

  @Field.integer({
    description: 'Number of rows, without empty ones.',
    example: 120,
    minimum: 0,
  })
  rows: number;

  @Field.integer({
    description: 'Rows that were imported, or would be.',
    example: 118,
    minimum: 0,
  })
  imported: number;

  @Field.integer({
    description: 'Rows with errors; they changed nothing.',
    example: 2,
    minimum: 0,
  })
  failed: number;

  @Field.object(() => ImportRowErrorDto, {
    description: 'The first errors, by row.',
    example: [],
    list: { maxItems: 1000, repeats: true },
  })
  errors: ImportRowErrorDto[];

  @Field.string({
    description: 'Encoding in which the file was read, such as utf-8, windows-1252 or utf-16le.',
    example: 'utf-8',
  })
  encoding: string;

  @Field.oneOf(DELIMITER_NAMES, {
    description: 'What separates the cells of the file.',
    example: 'semicolon',
  })
  delimiter: CsvReading['delimiter'];

  @Field.string({
    description: 'The locale that was named.',
    example: 'de-DE',
    nullable: true,
  })
  locale: string | null;

  @Field.string({
    description: 'Columns that are no field.',
    example: [],
    list: { maxItems: 500, repeats: true },
  })
  ignored_columns: string[];
}
