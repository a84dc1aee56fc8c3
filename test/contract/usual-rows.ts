import type { ApiDocument, Json, Schema } from '../harness/api-document.js';

const ID = '0198f3c2-7a51-7c4e-9b1d-3f5a2e6c8d90';
const TITLE = 'Delivery of office furniture, batch 7 of 2026';
const NAME = 'Wilhelmina van den Bergen';
const EMAIL = 'w.vandenbergen@furniture.example.co';
/** Names of what few people set up, which are short. */
const SET_UP = /(^|_)(status|stage|type)_name$/;

/** A row as long as rows usually get: a title of 45 characters, names of 25, addresses of 35, numbers of five digits. */
export function usualRow(document: ApiDocument, schema: Schema): Json {
  return valueOf(document, { name: '', schema, within: [] }) as Json;
}

/** The longest that a list must show in full, and what may be longer: texts of any length, in lists of three. */
export function longRow(document: ApiDocument, schema: Schema, texts: readonly string[]): Json {
  const lengthen = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return Array.from({ length: 3 }, () => lengthen(value[0], path));
    if (typeof value !== 'object' || value === null) return texts.includes(path) ? LONG : value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, lengthen(inner, path === '' ? name : `${path}.${name}`)]),
    );
  };
  return lengthen(usualRow(document, schema), '') as Json;
}

const LONG = `"Übergabe" ${'All of the delivery was checked. '.repeat(250)}`;

interface Member {
  name: string;
  schema: Schema;
  within: readonly Schema[];
}

function valueOf(document: ApiDocument, { name, schema, within }: Member): unknown {
  const target = document.resolve(schema);
  const [example] = (schema.examples ?? target.examples ?? []) as unknown[];
  // such as the days of an all-day event, whose example has a time
  if (example === null || within.includes(target)) return null;
  const inner = [...within, target];
  if (target.enum) return medianOf(target.enum as unknown[]);
  if (target.type === 'array') return [valueOf(document, { name: name.replace(/s$/, ''), schema: target.items as Schema, within: inner })];
  if (target.properties)
    return Object.fromEntries(
      Object.entries(target.properties).map(([own, property]) => [
        own,
        valueOf(document, { name: own === 'name' ? `${name}_name` : own, schema: property as Schema, within: inner }),
      ]),
    );
  return [target.type].flat().includes('string') ? textOf(name, target, example) : (example ?? 12_345);
}

function textOf(name: string, { format }: Schema, example: unknown): unknown {
  if (format === 'date-time') return '2026-11-30T08:15:30.123Z';
  if (format === 'uuid') return ID;
  if (format === 'email' || name.endsWith('email')) return EMAIL;
  if (/(title|subject)$/.test(name)) return TITLE;
  if (/(^|_)name$/.test(name) && !SET_UP.test(name)) return NAME;
  return String(example ?? 'text').replace(/^([A-Z]+-)\d+$/, '$112345');
}

/** Not every row has the longest status. */
function medianOf(values: readonly unknown[]): unknown {
  return values.toSorted((one, other) => String(one).length - String(other).length)[Math.floor(values.length / 2)];
}
