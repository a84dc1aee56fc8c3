import { isDecimal, plainDecimal } from '../values/decimals.js';
import type { FieldSpec } from './field-specification.js';
import { isComparableDay, isComparableInstant, isUuid } from '../values/formats.js';

/** At most 15 digits, which a double represents exactly; there is no number -0. */
const NUMBER = /^(?!-0+(\.0+)?$)-?\d{1,15}(\.\d{1,15})?$/;
/** No point, not even before zeros: who sends 120.00 as an amount means 12000 minor units, and who sends 1.000 may mean 1000. */
const INTEGER = /^(?!-0+$)[+-]?\d{1,16}$/;

/**
 * One value of a field, or one item of a list, as services get it: a UUID in lower case, a decimal without trailing zeros, and a
 * number that was sent as text, as queries do and some clients in bodies. An identifier has no white space around it: scanners, forms and
 * spreadsheets add it, and it cannot be seen. Anything else stays as it is, and the field's rule decides.
 */
export function canonicalOf(spec: Pick<FieldSpec, 'kind' | 'decimal' | 'isIdentifier'>, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (spec.isIdentifier) return value.trim();
  if (spec.kind === 'uuid') return isUuid(value) ? value.toLowerCase() : value;
  if (spec.kind === 'decimal') return isDecimal(value) && !spec.decimal?.asWritten ? plainDecimal(value) : value;
  if (spec.kind === 'integer') return INTEGER.test(value) && Number.isSafeInteger(Number(value)) ? Number(value) : value;
  return spec.kind === 'number' && NUMBER.test(value) ? Number(value) : value;
}

/**
 * What a query sends for a day or a time, which it only compares, in the form that services get: a day stands for its beginning in UTC, or
 * for its end if the field says so, a time for the day that is written in it. Anything else stays as it is.
 */
export function comparedOf({ kind, endOfDay }: Pick<FieldSpec, 'kind' | 'endOfDay'>, text: string): string {
  if (kind === 'date_time' && isComparableDay(text)) return `${text}T${endOfDay ? '23:59:59.999' : '00:00:00'}Z`;
  return kind === 'date' && isComparableInstant(text) ? text.slice(0, 10) : text;
}
