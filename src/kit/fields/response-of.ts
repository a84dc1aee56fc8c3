import type { Type } from '@nestjs/common';
import { fieldsOf } from './fields.js';

type AsJson<Value> = Value extends Date ? string : Value;

/** The fields of a response that a row has, too, and the response's `object`. */
type RowPart<Dto, Row> = { [Name in keyof Dto & (keyof Row | 'object')]: Name extends keyof Row ? AsJson<Row[Name]> : Dto[Name] };

/** The names of a response's fields, each with its constant if it is `object`. */
const members = new WeakMap<Type, readonly (readonly [name: string, constant: string | undefined])[]>();

/**
 * The fields of a response that are columns of a row, times as text, and its `object`. What the row lacks, or has in another form, stands
 * after it: `{ ...responseOf(TripDto, trip), days: daysOf(trip) }`. A column without a field is not in the response.
 *
 * @example
 * ```ts
 * import { responseOf } from 'work-suite/kit';
 * import { TripDto } from './trip.dto.js';
 * import type { Trip } from './trip.entity.js';
 *
 * export const tripView = (trip: Trip): TripDto => responseOf(TripDto, trip);
 * ```
 */
export function responseOf<Dto extends object, Row extends object>(dto: Type<Dto>, row: Row): RowPart<Dto, Row> {
  const response: Record<string, unknown> = {};
  for (const [name, constant] of membersOf(dto)) {
    const value: unknown = constant ?? row[name as keyof Row];
    if (value !== undefined) response[name] = value instanceof Date ? value.toISOString() : value;
  }
  return response as RowPart<Dto, Row>;
}

function membersOf(dto: Type) {
  let known = members.get(dto);
  if (!known) {
    known = [...fieldsOf(dto)].map(([name, { values }]) => [name, name === 'object' ? values?.[0] : undefined] as const);
    members.set(dto, known);
  }
  return known;
}
