import type { Type } from '@nestjs/common';
import { CommonErrors } from '../errors/common-errors.js';
import { readCsvTable } from './csv-rows.js';
import { DomainError, type ErrorDetail } from '../errors/errors.js';
import { Field, fieldsOf } from '../fields/fields.js';
import { firstCharacters } from '../values/formats.js';
import { readFields } from '../fields/read-fields.js';

/** The largest file that an import accepts. */
export const IMPORT_LIMITS = { bytes: 10 * 1024 * 1024, rows: 10_000 };
const MOST_ERRORS = 1_000;
const LONGEST_MESSAGE = 500;
const MORE_CELLS = 'the row has more cells than there are headings; put a cell that contains the delimiter into quotation marks';

/** What is wrong with a row. */
export class ImportRowErrorDto {
  @Field.integer({
    description: 'The row, from 1, without the headings.',
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
    description: 'Number of rows.',
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
    description: 'Columns that are no field.',
    example: [],
    list: { maxItems: 500, repeats: true },
  })
  ignored_columns: string[];
}

/** A row whose fields are valid by themselves. */
export interface ValidRow<T> {
  /** From 1. */
  row: number;
  value: T;
}

/** A file read by the fields of a DTO. A column matches a field if their names are equal, ignoring case, spaces and hyphens. */
export interface ImportFile<T> {
  rows: number;
  valid: ValidRow<T>[];
  /** What could be read from the other rows; an unreadable row is missing. */
  invalid: ValidRow<Partial<T>>[];
  errors: ImportRowErrorDto[];
  ignored_columns: string[];
}

export async function readImport<T extends object>(dto: Type<T>, file: Buffer): Promise<ImportFile<T>> {
  const { headings, records } = await readCsvTable(file, IMPORT_LIMITS);
  const fields = fieldsOf(dto);
  const names = headings.map((heading) =>
    heading
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, '_'),
  );
  const repeated = names.find((name, index) => fields.has(name) && names.indexOf(name) !== index);
  if (repeated !== undefined)
    throw CommonErrors.validationFailed({ param: 'file', message: `file must have one column ${repeated}, not several` });
  const result: ImportFile<T> = {
    rows: records.length,
    valid: [],
    invalid: [],
    errors: [],
    ignored_columns: headings.filter((_, index) => !fields.has(names[index])),
  };
  for (const [index, { cells, problem: unreadable }] of records.entries()) {
    const row = index + 1;
    const problem = unreadable ?? (cells.slice(names.length).some((cell) => cell !== '') ? MORE_CELLS : null);
    if (problem !== null) {
      result.errors.push({ row, code: 'validation_failed', param: null, message: problem });
      result.invalid.push({ row, value: {} });
      continue;
    }
    const input: Record<string, unknown> = {};
    for (const [column, name] of names.entries()) {
      const cell = cells[column] ?? '';
      const kind = fields.get(name)?.kind;
      if (cell !== '' && kind !== undefined) input[name] = valueOf(kind, cell);
    }
    const { value, faults } = readFields(dto, input);
    if (faults.length === 0) {
      result.valid.push({ row, value });
    } else {
      result.invalid.push({ row, value });
      result.errors.push(...faults.map((fault) => errorOf(row, fault)));
    }
  }
  return result;
}

function valueOf(kind: string, cell: string): unknown {
  if (kind === 'integer' && /^-?\d{1,15}$/.test(cell)) return Number(cell);
  if (kind === 'boolean' && /^(true|false)$/i.test(cell)) return cell.toLowerCase() === 'true';
  return cell;
}

function errorOf(row: number, { code, param, message }: ErrorDetail): ImportRowErrorDto {
  return { row, code: code === 'missing' ? 'missing_fields' : 'validation_failed', param, message };
}

/** The error of a row that the service refused. */
export function refusalOf(row: number, error: unknown): ImportRowErrorDto {
  if (!(error instanceof DomainError) || error.spec.status >= 500) throw error;
  return { row, code: error.spec.code, param: error.occurrence.param ?? null, message: firstCharacters(error.message, LONGEST_MESSAGE) };
}

/** The result of the import, once all errors are known. */
export function importResult({ rows, errors, ignored_columns }: ImportFile<object>, dry_run: boolean): ImportResultDto {
  const failed = new Set(errors.map(({ row }) => row)).size;
  const sorted = errors.toSorted((a, b) => a.row - b.row).slice(0, MOST_ERRORS);
  return { dry_run, rows, imported: rows - failed, failed, errors: sorted, ignored_columns };
}
