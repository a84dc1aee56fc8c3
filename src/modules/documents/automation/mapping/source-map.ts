import { CommonErrors, dayIn, isObject, keepLiteral, rememberLiteral, type ErrorDetail } from '../../../../kit/index.js';
import { valueAt } from '../../model/core/data-values.js';
import { dayOf } from '../../model/core/calendar-days.js';
import { LONGEST_PATH, PATH } from './event-root.js';

const TRANSFORMS = ['string', 'number', 'date', 'upper', 'lower'] as const;
export type Transform = (typeof TRANSFORMS)[number];

/** A table from a list of the event: for each of its columns, the path of the value within an entry of the list. */
export type Columns = Readonly<Record<string, string>>;

/** The source of a field's value: a path, a path with options, the columns of a table, or a constant. */
export type Source =
  | string
  | { path: string; default?: unknown; transform?: Transform }
  | { path: string; columns: Columns }
  | { const: unknown };
export type SourceMap = Record<string, Source>;

/** The invalid sources of a map and the names that are not fields. `isField` decides which names may be filled. */
export function sourceMapProblems(
  map: Record<string, unknown>,
  at: string,
  isField: (name: string) => boolean,
  fields: readonly string[],
): ErrorDetail[] {
  return Object.entries(map).flatMap(([name, source]) => {
    const param = `${at}.${name}`;
    const problemOf = (message: string, allowed?: readonly string[]): ErrorDetail => ({
      param,
      code: 'invalid_value',
      message: `${param} ${message}`,
      allowed,
    });
    if (!isField(name)) return [problemOf('is not a known field', fields.length <= 50 ? fields : undefined)];
    const problem = sourceProblem(source);
    return problem === null ? [] : [problemOf(problem)];
  });
}

/** What a source reads; without a path for a constant. */
export function sourceOf(source: Source): { path?: string; default?: unknown; transform?: Transform; columns?: Columns } {
  if (typeof source === 'string') return { path: source };
  return 'path' in source ? source : {};
}

/** The values that a map may write as they are: its constants and the defaults of its paths. */
export function literalsOf(map: SourceMap): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, source] of Object.entries(map)) {
    if (typeof source === 'string') continue;
    const isConstant = 'const' in source;
    const literal = isConstant ? source.const : sourceOf(source).default;
    if (literal === undefined) continue;
    values[name] = literal;
    keepLiteral(source, isConstant ? 'const' : 'default', values, name);
  }
  return values;
}

function sourceProblem(source: unknown): string | null {
  if (typeof source === 'string') return pathProblem(source);
  if (!isObject(source)) return `must be a path, ${FORMS}`;
  const members = Object.keys(source);
  if (members.length === 1 && members[0] === 'const') return null;
  const known = members.includes('columns') ? ['path', 'columns'] : ['path', 'default', 'transform'];
  const unknown = members.find((member) => !known.includes(member));
  if (unknown !== undefined) return `has the unknown member ${unknown}; it must be ${FORMS}`;
  if (members.includes('columns')) return columnsProblem(source.columns) ?? pathProblem(source.path);
  if (source.transform !== undefined && !TRANSFORMS.includes(source.transform as Transform))
    return `must have one of ${TRANSFORMS.join(', ')} as transform`;
  return pathProblem(source.path);
}

function columnsProblem(columns: unknown): string | null {
  if (!isObject(columns) || Object.keys(columns).length === 0) return 'must have columns such as {"item": "description"}';
  const wrong = Object.entries(columns).find(([, path]) => pathProblem(path) !== null);
  return wrong ? `must have a path such as description for the column ${wrong[0]}` : null;
}

function pathProblem(path: unknown): string | null {
  return typeof path === 'string' && path.length <= LONGEST_PATH && PATH.test(path) ? null : 'must have a path such as deal.amount';
}

const FORMS = '{"path", "default", "transform"}, {"path", "columns"} or {"const"}';

/**
 * Applies a map to an event. A value that is missing in the event and has no default is omitted. A text such as "119.00" becomes a
 * number for a field that takes decimals; one for integers refuses it, because an amount in major units would be a hundredth.
 */
export function mapped(map: SourceMap, root: Record<string, unknown>, timeZone: string, at = 'source_map'): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, source] of Object.entries(map)) {
    const value = valueOf(source, root, timeZone, `${at}.${name}`);
    if (value === undefined) continue;
    values[name] = value;
    const { path = '', transform } = sourceOf(source);
    const text = transform === 'number' ? valueAt(root, path) : undefined;
    if (typeof text === 'string' && /[.e]/i.test(text)) rememberLiteral(values, name, text);
  }
  return values;
}

function valueOf(source: Source, root: Record<string, unknown>, timeZone: string, param: string): unknown {
  if (typeof source === 'object' && 'const' in source) return source.const;
  const { path = '', default: standard, transform, columns } = sourceOf(source);
  const found = valueAt(root, path);
  if (columns) return Array.isArray(found) ? found.map((entry) => rowOf(columns, entry)) : undefined;
  if (found === undefined || found === null || found === '') return standard ?? undefined;
  return transform === undefined ? found : transformed(transform, found, timeZone, param, path);
}

/** Values that are missing in an entry are omitted. */
function rowOf(columns: Columns, entry: unknown): Record<string, unknown> {
  const cells = Object.entries(columns).map(([column, path]) => [column, valueAt(entry, path)] as const);
  return Object.fromEntries(cells.filter(([, value]) => value !== undefined && value !== null));
}

/** Not 0x10, which Number reads too. */
const NUMBER = /^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?\s*$/i;

function transformed(transform: Transform, value: unknown, timeZone: string, param: string, path: string): unknown {
  const fail = (what: string) => CommonErrors.validationFailed({ param, message: `${param}: the value at ${path} is ${what}` });
  if (!['string', 'number', 'boolean'].includes(typeof value)) throw fail('neither a string nor a number');
  const text = String(value);
  switch (transform) {
    case 'string':
      return text;
    case 'upper':
      return text.toUpperCase();
    case 'lower':
      return text.toLowerCase();
    case 'number':
      if (!NUMBER.test(text) || !Number.isFinite(Number(text))) throw fail('not a number');
      return Number(text);
    case 'date': {
      // a timestamp becomes a date in the project's time zone
      const time = text.includes('T') ? new Date(text) : null;
      const day = time && !Number.isNaN(time.getTime()) ? dayIn(timeZone, time) : dayOf(text);
      if (day === null) throw fail('not a date');
      return day;
    }
  }
}
