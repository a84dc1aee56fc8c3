import { parsePhoneNumberFromString } from 'libphonenumber-js';
import { isCalendarDay, isCurrency, isEmailAddress, isLongerThan } from '../../../../kit/index.js';
import { BARCODE_NOUNS, BARCODES, isEncodable } from './barcodes.js';
import { IMAGE_NOUN, isImageReference } from './images.js';
import type { FieldProperty, ScalarField } from './field-schema.js';

/** The format of a property that holds the currency of an amount next to it. */
export const CURRENCY_FORMAT = 'x-currency';

const LONGEST_PARTY = 255;

/** What `x-format` requires of a text, by its name. Money is an integer; its type says all. */
export const VALUE_FORMATS: Readonly<Record<string, { validate: (text: string) => boolean; noun: string }>> = {
  phone: {
    validate: (text) => parsePhoneNumberFromString(text)?.isValid() ?? false,
    noun: 'a phone number with its country code, such as +49 30 901820',
  },
  party: {
    validate: (text) => text.trim() !== '' && !isLongerThan(text, LONGEST_PARTY) && !/[\p{Cc}\u2028\u2029]/u.test(text),
    noun: `the name of a person or company: one line of at most ${LONGEST_PARTY} characters`,
  },
  user: { validate: (text) => isEmailAddress(text), noun: "a member's e-mail address" },
  image: { validate: isImageReference, noun: IMAGE_NOUN },
  ...Object.fromEntries(BARCODES.map((kind) => [kind, { validate: (text: string) => isEncodable(kind, text), noun: BARCODE_NOUNS[kind] }])),
  [CURRENCY_FORMAT]: { validate: (text) => isCurrency(text), noun: 'an ISO 4217 currency code, such as EUR' },
};

/** What the other formats with a rule of their own require, in words. */
export const FORMAT_NOUNS: Readonly<Record<string, string>> = {
  date: 'a calendar date as YYYY-MM-DD, in the years 1000 to 9999',
  'date-time': 'an RFC 3339 time with an offset, for example 2026-11-21T09:30:00Z, in the years 1000 to 9999',
  ...Object.fromEntries(Object.entries(VALUE_FORMATS).map(([name, { noun }]) => [name, noun])),
};

/** Why a date field cannot be compared with a text: no such day exists. A time may be compared with the beginning of one. */
export function dayProblem({ format }: { format?: unknown }, text: unknown): string | null {
  if (typeof text !== 'string' || (format !== 'date' && format !== 'date-time')) return null;
  return isCalendarDay(format === 'date' ? text : text.slice(0, 10)) ? null : FORMAT_NOUNS.date;
}

export function isExtended(format: unknown): format is string {
  return typeof format === 'string' && format !== CURRENCY_FORMAT && Object.hasOwn(VALUE_FORMATS, format);
}

/** The properties that hold the currency of an amount next to them, or of a column. */
export function currencyNamesOf(properties: Readonly<Record<string, FieldProperty>>): ReadonlySet<string> {
  const named = Object.values(properties).flatMap((property) => {
    if (property.type !== 'array') return [property['x-currency']];
    const columns = property.items.properties;
    return Object.values(columns).map(({ 'x-currency': name }) => (name !== undefined && Object.hasOwn(columns, name) ? undefined : name));
  });
  return new Set(named.filter((name) => name !== undefined && Object.hasOwn(properties, name)) as string[]);
}

/** The form in which a text is stored. An invalid one stays as it is and is rejected later. */
export function normalizedText(property: ScalarField, text: string): string {
  if (property['x-format'] === 'user') return text.trim().toLowerCase();
  if (property['x-format'] !== 'phone') return text;
  const number = parsePhoneNumberFromString(withPlus(text));
  return number?.isValid() ? number.number : text;
}

/** The international prefix 00 is that of most countries; it can begin no other valid number. */
function withPlus(text: string): string {
  return text.replace(/^\s*00(?=\s*[1-9])/, '+');
}
