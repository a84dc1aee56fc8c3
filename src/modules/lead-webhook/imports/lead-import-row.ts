import {
  cellHint,
  CsvLocale,
  damageOfCell,
  dayOfCell,
  decimalOfCell,
  flagOfCell,
  readFields,
  type ErrorDetail,
} from '../../../kit/index.js';
import { UpdateLeadDto, type LeadInput } from '../../crm/crm.public.js';
import { CUSTOM_PREFIX } from './lead-import-mapping.js';

/** The part of a custom field's definition that the conversion needs. */
interface FieldType {
  key: string;
  type: string;
}

/** A row converted to lead input, with its validation errors. */
export interface ReadRow {
  /** Counted from 1, without headings and blank lines. */
  number: number;
  input: LeadInput;
  problems: ErrorDetail[];
}

/** What the columns of a file mean. */
export interface Columns {
  headings: readonly string[];
  /** Headings to fields. */
  mapping: Readonly<Record<string, string>>;
  definitions: readonly FieldType[];
}

/** Without a locale, flags are English, as the API is. */
const ENGLISH = CsvLocale.of('en');

/** Reads the mapped columns of a row. Empty cells are omitted. */
export function readRow(
  number: number,
  cells: readonly string[],
  { headings, mapping, definitions }: Columns,
  locale: CsvLocale | null,
): ReadRow {
  const input: Record<string, unknown> = {};
  const custom: Record<string, unknown> = {};
  const problems: ErrorDetail[] = [];
  if (cells.slice(headings.length).some((cell) => cell.trim() !== ''))
    problems.push({
      param: 'row',
      code: 'invalid_value',
      message: `the row has ${cells.length} cells, but there are ${headings.length} headings`,
    });
  headings.forEach((heading, index) => {
    const field = Object.hasOwn(mapping, heading) ? mapping[heading] : undefined;
    const cell = cells[index]?.trim() ?? '';
    if (field === undefined || cell === '') return;
    if (field.startsWith(CUSTOM_PREFIX)) {
      const { value, problem } = customValue(cell, definitions.find(({ key }) => CUSTOM_PREFIX + key === field)?.type, locale);
      if (problem !== undefined) problems.push({ param: field, code: 'validation_failed', message: `${field} ${problem}` });
      else custom[field.slice(CUSTOM_PREFIX.length)] = value;
    } else if (isFlag(field)) {
      const flag = flagOfCell(locale ?? ENGLISH, cell);
      if (flag === null)
        problems.push({ param: field, code: 'invalid_value', message: `${field} must be true or false${cellHint(locale, 'flags')}` });
      else input[field] = flag;
    } else {
      const damage = damageOfCell(cell);
      if (damage !== null) problems.push({ param: field, code: 'invalid_value', message: `${field} ${damage}` });
      else input[field] = field.endsWith('_id') && field !== 'external_id' ? cell.toLowerCase() : cell;
    }
  });
  if (Object.keys(custom).length > 0) input.custom_fields = custom;
  // a cell is always text, so none has a wrong type
  const faults = readFields(UpdateLeadDto, input).faults.map((fault) => ({ ...fault, code: 'invalid_value' }));
  return { number, input: input as LeadInput, problems: [...problems, ...faults] };
}

/** A row that is not well-formed CSV. */
export function unreadableRow(number: number, message: string): ReadRow {
  return { number, input: {} as LeadInput, problems: [{ param: 'row', code: 'invalid_value', message }] };
}

function isFlag(field: string): boolean {
  return field.startsWith('consent_') && field !== 'consent_source';
}

function customValue(cell: string, type: string | undefined, locale: CsvLocale | null): { value?: unknown; problem?: string } {
  switch (type) {
    case 'number': {
      const decimal = decimalOfCell(locale, cell);
      return decimal === null ? { problem: `must be a number${cellHint(locale, 'decimal')}` } : { value: Number(decimal) };
    }
    case 'boolean': {
      const flag = flagOfCell(locale ?? ENGLISH, cell);
      return flag === null ? { problem: `must be true or false${cellHint(locale, 'flags')}` } : { value: flag };
    }
    case 'date': {
      const day = dayOfCell(locale, cell);
      return day === null ? { problem: `must be a calendar date as YYYY-MM-DD${cellHint(locale, 'day')}` } : { value: day };
    }
    case 'multi_select': {
      const items = cell.split(';').map((item) => item.trim());
      return { value: items.filter(Boolean) };
    }
    default: {
      const problem = damageOfCell(cell);
      return problem === null ? { value: cell } : { problem };
    }
  }
}
