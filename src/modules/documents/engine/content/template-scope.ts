import type { ValueType } from '../../model/expressions/expression.js';
import type { RowScope, Scope } from '../../model/expressions/scope.js';
import { propertyOf, type FieldSchema } from '../../model/core/field-schema.js';
import { typeOf } from '../../model/core/schema-types.js';

/** Properties of the document that a token can name. */
const BUILT_IN = {
  'document.number': { kind: 'text' },
  'document.title': { kind: 'text' },
  'document.created_on': { kind: 'date' },
  'document.finalized_on': { kind: 'date' },
} as const satisfies Record<string, ValueType>;
export type BuiltIn = keyof typeof BUILT_IN | `custom_fields.${string}`;

/** A custom field of documents. Projects have different ones, so any key is accepted, and what has no value prints as missing. */
const CUSTOM = /^custom_fields\.[a-z][a-z0-9_]{0,62}$/;

/** What {{#each}} knows of the current row besides its columns. */
const ROW: Readonly<Record<string, ValueType>> = {
  'row.index': { kind: 'number', isWhole: true },
  'row.first': { kind: 'boolean' },
  'row.last': { kind: 'boolean' },
};

/** What names in tokens stand for. */
export interface NamesInTokens {
  schema: FieldSchema;
  /** The tokens of modules, by name with that of the module. A type's own field with the name of the module comes first. */
  tokens?: Readonly<Record<string, ValueType>>;
}

export function isBuiltIn(name: string, schema: FieldSchema): name is BuiltIn {
  return Object.hasOwn(BUILT_IN, name) || isCustom(name, schema);
}

/** A type's own field of that name comes first. */
function isCustom(name: string, { properties }: FieldSchema): boolean {
  return CUSTOM.test(name) && !Object.hasOwn(properties, 'custom_fields');
}

/** What expressions of a template can name. Published templates are read without checks that they may not have passed. */
export function scopeOf({ schema, tokens = {} }: NamesInTokens, rows: readonly RowScope[], isStrict = true): Scope {
  const hasRow = rows.some(({ table }) => table === 'row');
  return {
    typeOf: (path) => {
      if (isCustom(path, schema)) return { kind: 'text' };
      if (Object.hasOwn(BUILT_IN, path)) return BUILT_IN[path as keyof typeof BUILT_IN];
      if (hasRow && Object.hasOwn(ROW, path)) return ROW[path];
      const [first] = path.split('.');
      return Object.hasOwn(tokens, path) && !propertyOf(schema, first) ? tokens[path] : typeOf(schema, path);
    },
    missing: (path) => {
      const [first] = path.split('.');
      const known = propertyOf(schema, first) ? [] : Object.keys(tokens).filter((name) => name.startsWith(`${first}.`));
      return known.length === 0 ? undefined : `${path} is not a token of the module ${first}, which has ${known.join(', ')}`;
    },
    rows,
    isStrict,
  };
}

/** What a repeated section repeats. */
export type Repetition = { table: string; column: string | null; rows: readonly RowScope[] };

const EACH = /^([A-Za-z]\w*)$/;
const GROUP = /^([A-Za-z]\w*)\s+by\s+(?:([A-Za-z]\w*)\.)?([A-Za-z]\w*)$/;

/** What {{#each head}} or {{#group head}} repeats, with the rows that have a current one inside; or a message if it is invalid. */
export function repetitionOf(kind: 'each' | 'group', head: string, schema: FieldSchema, rows: readonly RowScope[]): Repetition | string {
  const [, table = '', qualifier, column] = (kind === 'each' ? EACH : GROUP).exec(head) ?? [];
  if (table === '') return kind === 'each' ? 'write {{#each table}}' : 'write {{#group table by column}}';
  const property = propertyOf(schema, table);
  if (property?.type !== 'array') return `${table} is not a table of this type`;
  const outer = rows.filter((row) => row.table === table);
  if (outer.some(({ columns }) => columns === null)) return `the rows of ${table} are repeated already`;
  if (kind === 'each')
    return { table, column: null, rows: [...rows, { table, columns: null }, { table: 'row', columns: null, isHidden: true }] };
  if ((qualifier ?? table) !== table || !propertyOf(property.items, column)) return `${column} is not a column of ${table}`;
  const columns = [...outer.flatMap((row) => row.columns ?? []), column];
  return { table, column, rows: [...rows.filter((row) => row.table !== table), { table, columns }] };
}
