import type { Type } from '@nestjs/common';
import { DomainError, fieldsOf, firstCharacters, readCsvTable, readFields, type ErrorDetail } from '../../../kit/index.js';
import type { ImportRowErrorDto, InventoryImportDto } from './imports.dto.js';

export const IMPORT_LIMITS = { bytes: 10 * 1024 * 1024, rows: 10_000 };
const MOST_ERRORS = 1_000;
const LONGEST_MESSAGE = 500;

/** A row whose fields are valid by themselves. */
export interface ValidRow<T> {
  /** From 1. */
  row: number;
  value: T;
}

/** A file, read by the fields of a DTO: a column is a field if their names agree but for case, spaces and hyphens. */
export interface ImportFile<T> {
  rows: number;
  valid: ValidRow<T>[];
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
  const result: ImportFile<T> = {
    rows: records.length,
    valid: [],
    errors: [],
    ignored_columns: headings.filter((_, index) => !fields.has(names[index])),
  };
  for (const [index, { cells, problem }] of records.entries()) {
    const row = index + 1;
    if (problem !== null) {
      result.errors.push({ row, code: 'validation_failed', param: null, message: problem });
      continue;
    }
    const input: Record<string, unknown> = {};
    for (const [column, name] of names.entries()) {
      const cell = cells[column] ?? '';
      const kind = fields.get(name)?.kind;
      if (cell !== '' && kind !== undefined) input[name] = valueOf(kind, cell);
    }
    const { value, faults } = readFields(dto, input);
    if (faults.length === 0) result.valid.push({ row, value });
    else result.errors.push(...faults.map((fault) => errorOf(row, fault)));
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

export function importResult({ rows, errors, ignored_columns }: ImportFile<object>, dry_run: boolean): InventoryImportDto {
  const failed = new Set(errors.map(({ row }) => row)).size;
  const sorted = errors.toSorted((a, b) => a.row - b.row).slice(0, MOST_ERRORS);
  return { object: 'inventory_import', dry_run, rows, imported: rows - failed, failed, errors: sorted, ignored_columns };
}
