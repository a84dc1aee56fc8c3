import type { Type } from '@nestjs/common';
import { fieldsOf, type CatalogEvent } from '../../../../kit/index.js';

type Fields = ReadonlyMap<string, ReturnType<typeof fieldsOf> extends ReadonlyMap<string, infer Spec> ? Spec : never>;

/** Why a path leads nowhere; the message continues with the type of the event. */
export interface UnknownPath {
  message: string;
  allowed: readonly string[];
}

/** Checks a path of a trigger against the payload's schema, as `eventRoot` resolves it. */
export function unknownPath({ type, payload }: Pick<CatalogEvent, 'type' | 'payload'>, path: string): UnknownPath | null {
  const [noun] = type.split('.');
  const [first, ...rest] = path.split('.');
  const members = fieldsOf(payload);
  if (first !== noun) return missing(members, first, [noun]) ?? follow(members, [first, ...rest]);
  if (rest.length === 0) return null;
  const nested = members.get(noun);
  const all = new Map([...members, ...(nested?.type && !nested.list ? fieldsOf(nested.type()) : [])]);
  // `name` is an alias of `title`
  if (members.has('title') && rest.length === 1 && rest[0] === 'name') return null;
  return follow(all, rest);
}

function follow(fields: Fields, parts: readonly string[]): UnknownPath | null {
  const [name, ...rest] = parts;
  const unknown = missing(fields, name);
  if (unknown) return unknown;
  const { kind, type, list } = fields.get(name) as NonNullable<ReturnType<Fields['get']>>;
  if (list && rest.length > 0 && !/^\d+$/.test(rest[0]))
    return { message: `${name} is a list, name an entry by its index such as ${name}.0, in`, allowed: [] };
  const inside = list ? rest.slice(1) : rest;
  if (inside.length === 0 || kind === 'map' || kind === 'text_or_map') return null;
  if (type) return follow(fieldsOf(type() as Type), inside);
  return { message: `${name} is a single value without members in`, allowed: [] };
}

function missing(fields: Fields, name: string, others: readonly string[] = []): UnknownPath | null {
  if (fields.has(name)) return null;
  return { message: `${name} is not a member of`, allowed: [...new Set([...others, ...fields.keys()])] };
}
