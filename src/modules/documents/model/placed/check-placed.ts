import type { ErrorDetail } from '../../../../kit/index.js';
import { patternProblems } from '../core/linear-patterns.js';
import type { Place, PlacedField, PlacedKind, PlacedRules } from '../core/placed-fields.js';
import { BY_ZERO, dividesByZero } from '../expressions/constants.js';
import { ExpressionFault } from '../expressions/syntax.js';
import type { SignaturePartyDto } from '../types/signature-party.dto.js';
import { CALCULATED, compiledRule, EXPRESSION_RULES, namesIn } from './placed-expressions.js';
import { compared, isEntered, MOST_DIGITS, readPlaced, tidied, type ValueFault } from './placed-values.js';

/** What the fields of a document are checked against. */
export interface PlacedOn {
  /** The parties that sign. */
  parties: readonly Pick<SignaturePartyDto, 'key' | 'order'>[];
  /** Of the file. */
  pages: number;
  /** What stands on the other files of the document: keys are unique in it, and expressions may name fields of all files. */
  others?: readonly PlacedField[];
}

/** Which kinds a rule is for. */
const RULES: Partial<Record<keyof PlacedRules, readonly PlacedKind[]>> = {
  pattern: ['text'],
  max_length: ['text'],
  decimals: ['number'],
  calculated: ['number', 'text', 'entered_date'],
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
  const { others = [] } = on;
  const adderOf =
    (index: number): Add =>
    (name, message, allowed) => {
      const param = `${at}.${index}.${name}`;
      problems.push({ param, code: 'invalid_value', message: `${param} ${message}`, allowed });
    };
  for (const [index, field] of fields.entries()) {
    const add = adderOf(index);
    if (fields.find(({ key }) => key === field.key) !== field) add('key', 'is the key of an earlier field');
    else if (others.some(({ key }) => key === field.key)) add('key', 'is the key of a field on another file of the document');
    const parties = on.parties.map(({ key }) => key);
    if (!parties.includes(field.party)) add('party', 'is not a signature party of the type', parties);
    if (isEntered(field) && (field.label ?? '').trim() === '')
      add('label', `is required for the kind ${field.kind}: the prompt for the party`);
    addPlaceProblems(field, '', on.pages, add);
    ruleProblems(field, on.pages, add);
  }
  const patterns = await patternProblems(fields.map(({ pattern }) => pattern));
  patterns.forEach((problem, index) => problem !== null && adderOf(index)('pattern', problem));
  // the checks of values and expressions apply the rules
  const all = [...fields, ...others];
  const dependencies: Dependencies = new Map(problems.length === 0 ? all.map((field) => [field.key, dependenciesOf(field)]) : []);
  if (problems.length === 0)
    fields.forEach((field, index) => {
      valueProblems(field, adderOf(index));
      expressionProblems(field, { fields: all, dependencies }, on, adderOf(index));
    });
  return problems;
}

/** What is wrong with a place; `at` is its path. */
export function placeProblems(place: Place, pages: number, at: string): ErrorDetail[] {
  const problems: ErrorDetail[] = [];
  addPlaceProblems(place, '', pages, (name, message) => {
    problems.push({ param: `${at}.${name}`, code: 'invalid_value', message: `${at}.${name} ${message}` });
  });
  return problems;
}

function addPlaceProblems({ page, x, y, w, h }: Place, at: string, pages: number, add: Add): void {
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
  if ((field.calculated ?? null) !== null)
    for (const name of ['default', 'read_only'] as const)
      if ((field[name] ?? null) !== null && field[name] !== false) add(name, 'cannot be set for a field that is calculated');
  if (isReadOnly === true && (field.calculated ?? null) === null && (field.default ?? null) === null)
    add('default', 'is required for a field that is read-only');
  if (kind !== 'choice' && kind !== 'list') return;
  if (options.length < (kind === 'choice' ? 2 : 1)) add('options', `must list what the party can choose`);
  const placed = options.filter(({ place }) => place !== null).length;
  for (const [index, { value, place }] of options.entries()) {
    const at = `options.${index}.`;
    if (options.findIndex((one) => one.value === value) !== index) add(`${at}value`, 'is the value of an earlier option');
    if (value !== tidied(value, false)) add(`${at}value`, 'must have no spaces at its ends and single spaces within');
    if (place === null) {
      if (placed > 0) add(`${at}page`, 'is required, as other options of the field have a place');
    } else if (kind === 'list') add(`${at}page`, 'is only for the options of a choice');
    else addPlaceProblems(place, at, pages, add);
  }
}

function valueProblems(field: PlacedField, add: Add): void {
  const unbounded = { ...field, min: null, max: null, decimals: null };
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
  size: () => `must be a number with at most ${MOST_DIGITS} digits`,
  decimals: ({ limit }) => `must have at most ${limit} decimal places`,
  email: () => 'must be an e-mail address',
  date: () => 'must be a day in the form YYYY-MM-DD',
  option: () => 'must be the value of one of the options',
  min: ({ limit }) => `must be at least ${limit}`,
  max: ({ limit }) => `must be at most ${limit}`,
};

/** The keys that the expressions of a field name, by its key. */
type Dependencies = ReadonlyMap<string, ReadonlySet<string>>;

interface Placed {
  fields: readonly PlacedField[];
  dependencies: Dependencies;
}

function expressionProblems(field: PlacedField, placed: Placed, on: PlacedOn, add: Add): void {
  for (const rule of EXPRESSION_RULES) {
    const text = field[rule] ?? null;
    if (text === null) continue;
    try {
      const names = namesIn(text);
      const wrong = names.map(({ name }) => nameProblem(name, field, placed, on)).find((problem) => problem !== null);
      if (wrong !== undefined) add(rule, wrong);
      else {
        const expression = compiledRule(rule, text, placed.fields);
        const { type } = expression;
        if (dividesByZero(expression)) add(rule, `cannot be calculated: ${BY_ZERO}`);
        const expected = CALCULATED[field.kind];
        if (rule === 'calculated' && type.kind !== expected)
          add(rule, `is ${articled(type.kind)}, but the field is of the kind ${field.kind}`);
      }
    } catch (error) {
      if (!(error instanceof ExpressionFault)) throw error;
      add(rule, `cannot be read: ${error.message} (character ${error.at + 1})`);
    }
  }
}

function nameProblem(name: string, field: PlacedField, { fields, dependencies }: Placed, { parties }: PlacedOn): string | null {
  const named = fields.find(({ key }) => key === name);
  if (!named || !isEntered(named)) return `names ${name}, which is not a field that a party fills in`;
  const orderOf = (key: string) => parties.find((party) => party.key === key)?.order ?? 1;
  if (named.party !== field.party && orderOf(named.party) >= orderOf(field.party))
    return `names ${name}, which ${named.party} does not fill in before ${field.party}`;
  return dependsOn(named.key, field.key, dependencies) ? `names ${name}, which depends on ${field.key} itself` : null;
}

/** Whether a field needs the value of another one, directly or through others. */
function dependsOn(field: string, other: string, dependencies: Dependencies): boolean {
  const seen = new Set([field]);
  // a set is walked in the order in which it grows
  for (const key of seen) for (const name of dependencies.get(key) ?? []) seen.add(name);
  return seen.has(other);
}

/** The keys that the expressions of a field name; none of one that cannot be read. */
export function dependenciesOf(field: PlacedField): Set<string> {
  try {
    return new Set(EXPRESSION_RULES.flatMap((rule) => (field[rule] ? namesIn(field[rule]).map(({ name }) => name) : [])));
  } catch (error) {
    if (error instanceof ExpressionFault) return new Set();
    throw error;
  }
}

function articled(kind: string): string {
  return kind === 'boolean' ? 'true or false' : `a ${kind}`;
}

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
