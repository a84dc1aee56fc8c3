import { readFields, type ErrorDetail } from '../../../kit/index.js';
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

const YES = new Set(['true', 'yes', 'y', '1']);
const NO = new Set(['false', 'no', 'n', '0']);

/** Reads the mapped columns of a row. Empty cells are omitted. */
export function readRow(
  number: number,
  headings: readonly string[],
  cells: readonly string[],
  mapping: Readonly<Record<string, string>>,
  definitions: readonly FieldType[],
): ReadRow {
  const input: Record<string, unknown> = {};
  const custom: Record<string, unknown> = {};
  const problems: ErrorDetail[] = [];
  if (cells.length > headings.length)
    problems.push({
      param: 'row',
      code: 'invalid_value',
      message: `the row has ${cells.length} cells, but there are ${headings.length} headings`,
    });
  headings.forEach((heading, index) => {
    const field = Object.hasOwn(mapping, heading) ? mapping[heading] : undefined;
    const cell = cells[index]?.trim() ?? '';
    if (field === undefined || cell === '') return;
    if (field.startsWith(CUSTOM_PREFIX))
      custom[field.slice(CUSTOM_PREFIX.length)] = customValue(cell, definitions.find(({ key }) => CUSTOM_PREFIX + key === field)?.type);
    else input[field] = isFlag(field) ? flag(cell) : field.endsWith('_id') && field !== 'external_id' ? cell.toLowerCase() : cell;
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

/** Any other text stays as it is and is rejected by the validation. */
function flag(cell: string): boolean | string {
  const word = cell.toLowerCase();
  return YES.has(word) ? true : NO.has(word) ? false : cell;
}

function customValue(cell: string, type: string | undefined): unknown {
  if (type === 'number') return /^-?\d+(\.\d+)?$/.test(cell) ? Number(cell) : cell;
  if (type === 'boolean') return flag(cell);
  if (type === 'multi_select')
    return cell
      .split(';')
      .map((item) => item.trim())
      .filter(Boolean);
  return cell;
}
