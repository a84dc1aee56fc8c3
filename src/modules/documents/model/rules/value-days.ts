import { CommonErrors, dayIn, isInRange, isObject, type ErrorDetail } from '../../../../kit/index.js';
import { dayOf } from '../core/calendar-days.js';
import { valueAt } from '../core/data-values.js';
import type { FieldProperty } from '../core/field-schema.js';
import type { TypeDefinition } from '../types/type-definition.js';

const OFFSET = /\d(?:[Zz]|[+-]\d{2}(?::?\d{2})?)$/;

/** The calendar day of a time in the zone, or the one that another value starts with; null if there is none. */
export function dayOfValue(value: unknown, timeZone: string): string | null {
  const written = dayOf(value);
  const at = written !== null && OFFSET.test((value as string).slice(11)) ? new Date(value as string) : null;
  return at === null || Number.isNaN(at.getTime()) ? written : dayOf(dayIn(timeZone, at));
}

/** Rejects valid times that are outside the years 1000 to 9999 in the project's zone, and dates from which an obligation would be. */
export function requireDays(
  { field_schema, obligation_rules }: Pick<TypeDefinition, 'field_schema' | 'obligation_rules'>,
  values: Record<string, unknown>,
  timeZone: string,
): void {
  const details = timesIn(field_schema.properties, values)
    .filter(({ value }) => dayOfValue(value, timeZone) === null)
    .map(({ path }) => detail(path, `must be in the years 1000 to 9999 in the project's time zone, ${timeZone}`));
  for (const { due_on_from, due_after_days, title } of obligation_rules) {
    const from = due_on_from ? dayOfValue(valueAt(values, due_on_from), timeZone) : null;
    if (from === null || isInRange(from, due_after_days)) continue;
    const days = Math.abs(due_after_days);
    const distance = `${days} ${days === 1 ? 'day' : 'days'} ${due_after_days < 0 ? 'before' : 'after'} it`;
    details.push(
      detail(due_on_from as string, `is out of range: the obligation "${title}" is due ${distance}, outside the years 1000 to 9999`),
    );
  }
  if (details.length > 0) throw CommonErrors.validationFailed({ param: details[0].param, message: details[0].message, details });
}

function detail(path: string, message: string): ErrorDetail {
  const param = `data_values.${path}`;
  return { param, code: 'invalid_value', message: `${param} ${message}` };
}

function timesIn(properties: Record<string, FieldProperty>, values: Record<string, unknown>, at = ''): { path: string; value: unknown }[] {
  return Object.entries(properties).flatMap(([name, property]) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    const path = `${at}${name}`;
    if (property.type !== 'array') return property.format === 'date-time' && typeof value === 'string' ? [{ path, value }] : [];
    const rows = Array.isArray(value) ? (value as unknown[]) : [];
    return rows.flatMap((row, index) => (isObject(row) ? timesIn(property.items.properties, row, `${path}.${index}.`) : []));
  });
}
