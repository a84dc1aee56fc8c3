import type { CustomFieldDefinition } from '../../../../kit/index.js';
import { dateText, fieldText, type PrintedFor } from './field-text.js';

const PLAIN = new Set(['text', 'long_text', 'integer', 'number', 'boolean', 'time', 'choice', 'url']);

/** A custom field as printed in the document, in the document's language. Null if it has no value or is the id of a record. */
export function customFieldText({ type, currency }: CustomFieldDefinition, value: unknown, print: PrintedFor): string | null {
  if (Array.isArray(value)) return value.join(', ');
  if (type === 'date' && typeof value === 'string') return dateText(value, print.language);
  if (type === 'decimal')
    return new Intl.NumberFormat(print.language, { maximumFractionDigits: 20 }).format(value as Intl.StringNumericLiteral);
  if (type === 'money') return fieldText({ type: 'integer', 'x-format': 'money', 'x-currency': currency ?? undefined }, value, {}, print);
  return PLAIN.has(type) ? fieldText({ type: 'string' }, value, {}, print) : null;
}
