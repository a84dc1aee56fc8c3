import type { Type } from '@nestjs/common';
import { fieldsOf, type CatalogEvent } from '../../../../kit/index.js';
import type { FieldSchema } from '../../model/core/field-schema.js';
import { fieldType, valueTypeOf, type ValueType } from './value-types.js';

type Fields = ReadonlyMap<string, ReturnType<typeof fieldsOf> extends ReadonlyMap<string, infer Spec> ? Spec : never>;

/** Why a path leads nowhere; the message continues with the type of the event. */
export interface UnknownPath {
  message: string;
  allowed: readonly string[];
}

/** What a path of a trigger leads to by the payload's schema, as `eventRoot` resolves it. */
export function valueTypeAt({ type, payload }: Pick<CatalogEvent, 'type' | 'payload'>, path: string): ValueType | UnknownPath {
  const [noun] = type.split('.');
  const [first, ...rest] = path.split('.');
  const members = fieldsOf(payload);
  if (first !== noun) return missing(members, first, [noun]) ?? follow(members, [first, ...rest]);
  if (rest.length === 0) return { type: 'object' };
  const nested = members.get(noun);
  const all = new Map([...members, ...(nested?.type && !nested.list ? fieldsOf(nested.type()) : [])]);
  // `name` is an alias of `title`
  if (!all.has('name') && all.has('title') && rest[0] === 'name') return follow(all, ['title', ...rest.slice(1)]);
  return follow(all, rest);
}

/** What a path into the answers of a form leads to; null for a path to anything else of the submission. */
export function answerType({ properties }: FieldSchema, path: string): ValueType | UnknownPath | null {
  const match = /^(?:form\.)?answers\.(\w+)(?:\.(\w+))?(?:\.(\w+))?(\..*)?$/.exec(path);
  if (!match) return null;
  const [, name, index, column, deeper] = match;
  const property = Object.hasOwn(properties, name) ? properties[name] : null;
  if (!property) return { message: `${name} is not a field of the form, so it is not an answer of`, allowed: Object.keys(properties) };
  if (index === undefined) return fieldType(property);
  if (property.type !== 'array') return { message: `${name} is a single value without members in`, allowed: [] };
  if (!/^\d+$/.test(index)) return { message: `${name} is a list, name an entry by its index such as ${name}.0, in`, allowed: [] };
  if (column === undefined) return { type: 'object' };
  const cell = Object.hasOwn(property.items.properties, column) ? property.items.properties[column] : null;
  if (!cell || deeper !== undefined)
    return { message: `${path} is not a column of ${name} in`, allowed: Object.keys(property.items.properties) };
  return fieldType(cell);
}

function follow(fields: Fields, parts: readonly string[]): ValueType | UnknownPath {
  const [name, ...rest] = parts;
  const unknown = missing(fields, name);
  if (unknown) return unknown;
  const spec = fields.get(name) as NonNullable<ReturnType<Fields['get']>>;
  if (rest.length === 0) return valueTypeOf(spec);
  const { kind, type, list } = spec;
  if (list && !/^\d+$/.test(rest[0]))
    return { message: `${name} is a list, name an entry by its index such as ${name}.0, in`, allowed: [] };
  const inside = list ? rest.slice(1) : rest;
  if (inside.length === 0) return valueTypeOf({ ...spec, list: undefined });
  // the members of a map can be anything
  if (kind === 'map' || kind === 'text_or_map') return { type: null };
  if (type) return follow(fieldsOf(type() as Type), inside);
  return { message: `${name} is a single value without members in`, allowed: [] };
}

function missing(fields: Fields, name: string, others: readonly string[] = []): UnknownPath | null {
  if (fields.has(name)) return null;
  return { message: `${name} is not a member of`, allowed: [...new Set([...others, ...fields.keys()])] };
}
