import type { ErrorDetail } from '../../../../kit/index.js';
import { patternProblems } from '../core/linear-patterns.js';
import type { Place, PlacedField, PlacedKind, PlacedRules } from '../records/document-file.entity.js';
import { compared, isEntered, readPlaced, type ValueFault } from './placed-values.js';

/** What the fields of a document are checked against. */
export interface PlacedOn {
  /** Keys of the parties that sign. */
  parties: readonly string[];
  /** Of the file. */
  pages: number;
}

/** Which kinds a rule is for. */
const RULES: Partial<Record<keyof PlacedRules, readonly PlacedKind[]>> = {
  pattern: ['text'],
  max_length: ['text'],
  min: ['number', 'entered_date'],
  max: ['number', 'entered_date'],
  options: ['choice', 'list'],
  default: ['text', 'number', 'email', 'entered_date', 'checkbox', 'choice', 'list'],
  read_only: ['text', 'number', 'email', 'entered_date', 'checkbox', 'choice', 'list'],
};
/** Values are stored, so their form does not depend on the language of the document. */
const STORED = 'en';
/** Positions that were computed may exceed the page by a rounding error. */
const TOLERANCE = 1e-9;

type Add = (name: string, message: string, allowed?: readonly string[]) => void;

/** What is wrong with the fields of a document; `at` is the path of their list. */
export async function placedProblems(fields: readonly PlacedField[], on: PlacedOn, at: string): Promise<ErrorDetail[]> {
  const problems: ErrorDetail[] = [];
  const adderOf =
    (index: number): Add =>
    (name, message, allowed) => {
      const param = `${at}.${index}.${name}`;
      problems.push({ param, code: 'invalid_value', message: `${param} ${message}`, allowed });
    };
  for (const [index, field] of fields.entries()) {
    const add = adderOf(index);
    if (fields.find(({ key }) => key === field.key) !== field) add('key', 'is the key of an earlier field');
    if (!on.parties.includes(field.party)) add('party', 'is not a signature party of the type', on.parties);
    if (isEntered(field) && (field.label ?? '').trim() === '')
      add('label', `is required for the kind ${field.kind}: the prompt for the party`);
    placeProblems(field, '', on.pages, add);
    ruleProblems(field, on.pages, add);
  }
  const patterns = await patternProblems(fields.map(({ pattern }) => pattern));
  patterns.forEach((problem, index) => problem !== null && adderOf(index)('pattern', problem));
  // the checks of values apply the rules
  if (problems.length === 0) fields.forEach((field, index) => valueProblems(field, adderOf(index)));
  return problems;
}

function placeProblems({ page, x, y, w, h }: Place, at: string, pages: number, add: Add): void {
  if (page > pages) add(`${at}page`, `must be at most ${pages}, the number of pages of the file`);
  if (w <= 0 || x + w > 1 + TOLERANCE) add(`${at}w`, 'must be greater than 0 and end on the page: x + w at most 1');
  if (h <= 0 || y + h > 1 + TOLERANCE) add(`${at}h`, 'must be greater than 0 and end on the page: y + h at most 1');
}

function ruleProblems(field: PlacedField, pages: number, add: Add): void {
  const { kind, options = [], read_only: isReadOnly } = field;
  for (const [name, kinds] of Object.entries(RULES)) {
    const value = field[name as keyof PlacedRules];
    const isSet = value !== undefined && value !== null && value !== false && !(Array.isArray(value) && value.length === 0);
    if (isSet && !kinds.includes(kind)) add(name, `is only for the kinds ${kinds.join(', ')}`);
  }
  if (isReadOnly === true && (field.default ?? null) === null) add('default', 'is required for a field that is read-only');
  if (kind !== 'choice' && kind !== 'list') return;
  if (options.length < (kind === 'choice' ? 2 : 1)) add('options', `must list what the party can choose`);
  const placed = options.filter(({ place }) => place !== null).length;
  for (const [index, { value, place }] of options.entries()) {
    const at = `options.${index}.`;
    if (options.findIndex((one) => one.value === value) !== index) add(`${at}value`, 'is the value of an earlier option');
    if (value !== value.trim().replace(/\s+/g, ' ')) add(`${at}value`, 'must have no spaces at its ends and single spaces within');
    if (place === null) {
      if (placed > 0) add(`${at}page`, 'is required, as other options of the field have a place');
    } else if (kind === 'list') add(`${at}page`, 'is only for the options of a choice');
    else placeProblems(place, at, pages, add);
  }
}

function valueProblems(field: PlacedField, add: Add): void {
  const unbounded = { ...field, min: null, max: null };
  const bounds = (['min', 'max'] as const).flatMap((name) => {
    const bound = field[name] ?? null;
    if (bound === null) return [];
    const read = readPlaced(unbounded, bound, STORED);
    if ('value' in read && read.value === bound) return [bound];
    add(name, field.kind === 'number' ? 'must be a decimal number, such as 0.5' : 'must be a day in the form YYYY-MM-DD');
    return [];
  });
  if (bounds.length === 2 && compared(field.kind, bounds[0], bounds[1]) > 0) add('max', 'must be at least min');
  const standard = field.default ?? null;
  if (standard === null || bounds.length < [field.min, field.max].filter((bound) => (bound ?? null) !== null).length) return;
  const read = readPlaced(field, standard, STORED);
  if ('fault' in read) add('default', FAULTS[read.fault.rule](read.fault));
  else if (read.value !== standard) add('default', `must be written as ${String(read.value)}`);
}

const FAULTS: Record<ValueFault['rule'], (fault: ValueFault) => string> = {
  required: () => 'must be true for a checkbox that is required',
  max_length: ({ limit }) => `must be at most ${limit} characters long`,
  pattern: () => 'must match the pattern of the field',
  number: () => 'must be a decimal number, such as 0.5',
  email: () => 'must be an e-mail address',
  date: () => 'must be a day in the form YYYY-MM-DD',
  option: () => 'must be the value of one of the options',
  min: ({ limit }) => `must be at least ${limit}`,
  max: ({ limit }) => `must be at most ${limit}`,
};

/** The texts that the sender chose for a field, with the names of their members: its default, and the labels of its options. */
export function fixedTexts(field: PlacedField): { name: string; text: string }[] {
  const { kind, options = [] } = field;
  const standard = kind === 'text' || kind === 'email' ? (field.default ?? null) : null;
  return [
    ...(standard === null ? [] : [{ name: 'default', text: standard }]),
    ...options.flatMap(({ place, label, value }, index) =>
      place === null ? [{ name: `options.${index}.${label === null ? 'value' : 'label'}`, text: label ?? value }] : [],
    ),
  ];
}
