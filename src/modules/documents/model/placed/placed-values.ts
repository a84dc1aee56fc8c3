import { RE2JS } from 're2js';
import { LRUCache } from 'lru-cache';
import { exactParts, isCalendarDay, isEmailAddress } from '../../../../kit/index.js';
import type { Place, PlacedField, PlacedKind, PlacedOption } from '../core/placed-fields.js';
import { typedDay } from '../core/typed-days.js';
import { decimalOf, typedNumber } from '../core/typed-numbers.js';

/** Kinds that have a value before the party signs. */
const ENTERED: readonly PlacedKind[] = ['text', 'number', 'email', 'entered_date', 'checkbox', 'choice', 'list'];
/** Of a text without a limit of its own: on one line, on several. */
const [USUAL_LENGTH, USUAL_LINES_LENGTH] = [200, 1_000];
const LONGEST_EMAIL = 254;
/** Digits of a number: so many are exact in JavaScript, too. */
export const MOST_DIGITS = 15;
export const MARK = '✓';

/** Why a party cannot enter a value. `limit` is the bound that it breaks, as the party reads it. */
export interface ValueFault {
  rule: 'required' | 'max_length' | 'pattern' | 'number' | 'size' | 'decimals' | 'email' | 'date' | 'option' | 'min' | 'max';
  limit?: string;
}

export function isEntered({ kind }: Pick<PlacedField, 'kind'>): boolean {
  return ENTERED.includes(kind);
}

/** Whether the party can change the value. */
export function isOpen(field: PlacedField): boolean {
  return isEntered(field) && field.read_only !== true && (field.calculated ?? null) === null;
}

export function hasLines({ kind, multiline }: Pick<PlacedField, 'kind' | 'multiline'>): boolean {
  return kind === 'text' && multiline === true;
}

/** What the form field at which a field stands leaves for what is printed: within its frame, in its cells. */
export function lookOf({ form_field, frame = 1, cells }: Pick<PlacedField, 'form_field' | 'frame' | 'cells'>): FormRoom {
  return form_field ? { frame, cells } : {};
}

export function longestOf(field: Pick<PlacedField, 'kind' | 'max_length' | 'multiline'>): number {
  return field.kind === 'email' ? LONGEST_EMAIL : (field.max_length ?? (hasLines(field) ? USUAL_LINES_LENGTH : USUAL_LENGTH));
}

/** A text with single spaces: on one line, or on several with line feeds between them. */
export function tidied(text: string, keepsLines: boolean): string {
  if (!keepsLines) return text.trim().replace(/\s+/g, ' ');
  const lines = text.split(/\r\n?|[\n\u2028\u2029]/).map((line) => tidied(line, false));
  return lines.join('\n').replace(/^\n+|\n+$/g, '');
}

/**
 * What a party typed or chose, as it is stored: a number with a decimal point and the places that were typed, a day as YYYY-MM-DD, a
 * checkbox as true or false, a choice as its value. Null for nothing.
 */
export function readPlaced(field: PlacedField, given: unknown, language: string): { value: string | null } | { fault: ValueFault } {
  const text = typeof given === 'string' ? tidied(given, hasLines(field)) : '';
  if (field.kind === 'checkbox') {
    const isTicked = text !== '' && text !== 'false';
    return field.required && !isTicked ? { fault: { rule: 'required' } } : { value: String(isTicked) };
  }
  if (text === '') return field.required ? { fault: { rule: 'required' } } : { value: null };
  const value = storedValue(field, text, language);
  if (typeof value !== 'string') return { fault: value };
  const fault = boundFault(field, value, language);
  return fault ? { fault } : { value };
}

function storedValue(field: PlacedField, text: string, language: string): string | ValueFault {
  const { kind, options = [], pattern } = field;
  const most = longestOf(field);
  switch (kind) {
    case 'number':
      return storedNumber(text, field.decimals ?? null, language);
    case 'entered_date':
      return isCalendarDay(text) ? text : (typedDay(text, language) ?? { rule: 'date' });
    case 'email':
      return text.length <= most && isEmailAddress(text) ? text : { rule: 'email' };
    case 'choice':
    case 'list':
      return options.some(({ value }) => value === text) ? text : { rule: 'option' };
    default:
      if (text.length > most) return { rule: 'max_length', limit: String(most) };
      return typeof pattern === 'string' && !compiled(pattern).matcher(text).find() ? { rule: 'pattern' } : text;
  }
}

function storedNumber(text: string, decimals: number | null, language: string): string | ValueFault {
  const number = text.length > MOST_DIGITS * 2 ? null : decimalOf(text, { language, decimals });
  if (number === null) return { rule: 'number' };
  if (number.replace(/\D/g, '').length > MOST_DIGITS) return { rule: 'size' };
  if (decimals !== null && placesOf(number) > decimals) return { rule: 'decimals', limit: String(decimals) };
  return withPlaces(number.replace(/^(-?)0+(?=\d)/, '$1'), decimals ?? 0);
}

function placesOf(decimal: string): number {
  return decimal.split('.')[1]?.length ?? 0;
}

/** The number with at least so many places. */
export function withPlaces(decimal: string, places: number): string {
  const missing = places - placesOf(decimal);
  return missing > 0 ? `${decimal}${decimal.includes('.') ? '' : '.'}${'0'.repeat(missing)}` : decimal;
}

function boundFault(field: PlacedField, value: string, language: string): ValueFault | null {
  for (const rule of ['min', 'max'] as const) {
    const bound = field[rule];
    if (bound === undefined || bound === null) continue;
    const order = compared(field.kind, value, bound);
    if (rule === 'min' ? order < 0 : order > 0) return { rule, limit: writtenValue(field, bound, language) };
  }
  return null;
}

/** Negative if the first value of a number or a day is less. */
export function compared(kind: PlacedKind, one: string, other: string): number {
  if (kind !== 'number') return one < other ? -1 : Number(one > other);
  const [left, right] = [exactParts(one), exactParts(other)];
  const least = Math.min(left.exponent, right.exponent);
  const [a, b] = [left, right].map(({ units, exponent }) => units * 10n ** BigInt(exponent - least));
  return a < b ? -1 : Number(a > b);
}

/** Patterns are limited in length, so a few of them stay. */
const patterns = new LRUCache<string, RE2JS>({ max: 50 });

function compiled(pattern: string): RE2JS {
  const known = patterns.get(pattern) ?? RE2JS.compile(pattern);
  patterns.set(pattern, known);
  return known;
}

/** A stored value as people read it; what is printed in the box of the field. */
export function writtenValue({ kind, options = [] }: PlacedField, value: string, language: string): string {
  switch (kind) {
    case 'number':
      return typedNumber(value, language);
    case 'entered_date':
      return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(`${value}T00:00:00Z`));
    case 'checkbox':
      return value === 'true' ? MARK : '';
    case 'choice':
    case 'list':
      return labelOfOption(options.find((option) => option.value === value)) ?? value;
    default:
      return value;
  }
}

export function labelOfOption(option: PlacedOption | undefined): string | undefined {
  return option && (option.label ?? option.value);
}

/** Width of the frame of a form field, in points, and its number of cells. */
export interface FormRoom {
  frame?: number;
  cells?: number;
}

/** What is printed of a value, and where: a mark in a box that was ticked, or at the option that was chosen, or else its text. */
export interface PrintedValue {
  text: string;
  isMark: boolean;
  place: Place;
  isMultiline: boolean;
  room: FormRoom;
}

export function printedValue(field: PlacedField, value: string, language: string): PrintedValue | null {
  const { kind, options = [], page, x, y, w, h } = field;
  const chosen = kind === 'choice' ? options.find((option) => option.value === value)?.place : null;
  if (chosen) return { text: MARK, isMark: true, isMultiline: false, room: {}, place: chosen };
  const text = writtenValue(field, value, language);
  return text === ''
    ? null
    : { text, isMark: kind === 'checkbox', isMultiline: hasLines(field), room: lookOf(field), place: { page, x, y, w, h } };
}
