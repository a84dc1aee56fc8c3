import type { Type } from '@nestjs/common';
import { fieldsOf } from './fields.js';

/** What a row has for a field: a time is a `Date` there, and text in the response. */
type Stored<V> = string extends NonNullable<V> ? V | Date : V;

/** `C`: the fields that the row lacks or has in another form. */
type RowFor<D, C> = { readonly [F in keyof Omit<D, keyof C | 'object'>]: Stored<D[F]> };

const names = new WeakMap<Type, { object: string | undefined; others: readonly string[] }>();

/**
 * A response with the fields of a DTO, from the columns of the same names; `object` is its constant. Times become text. `computed` are the
 * fields that the row lacks or has in another form. `static from = (form: Form, url: string) => shownFrom(FormDto, form, { url });`
 */
export function shownFrom<D extends object, C extends Partial<D> = Record<never, never>>(dto: Type<D>, row: RowFor<D, C>, computed?: C): D {
  const { object, others } = namesOf(dto);
  const shown: Record<string, unknown> = object === undefined ? {} : { object };
  for (const name of others) {
    const value = (row as Record<string, unknown>)[name];
    if (value !== undefined) shown[name] = value instanceof Date ? value.toISOString() : value;
  }
  return Object.assign(shown, computed) as D;
}

function namesOf(dto: Type) {
  let found = names.get(dto);
  if (!found) {
    const fields = fieldsOf(dto);
    found = { object: fields.get('object')?.values?.[0], others: [...fields.keys()].filter((name) => name !== 'object') };
    names.set(dto, found);
  }
  return found;
}
