import { isCalendarDay, minorDigitsOf } from '../../../../kit/index.js';
import { minorUnits } from '../../model/core/amounts.js';
import type { FieldProperty, ScalarField } from '../../model/core/field-schema.js';
import { decimalOf } from '../../model/core/typed-numbers.js';
import type { PatternMatch } from '../../engine/reading/zone-text.js';
import type { ZoneDto } from './zones.dto.js';

/** The value of a zone, or why there is none. Both are null for an empty zone. */
export interface ZoneValue {
  value: string | number | boolean | null;
  problem: string | null;
}

const TICKED = /^(?:x|[✓✔☒☑]|y|yes|ja|true|on|checked|ticked|selected|1)$/;
const NOT_TICKED = /^(?:|[☐□]|n|no|nein|false|off|unchecked|unticked|0)$/;
const BOX = /^(?:\[(.*)\]|\((.*)\))$/;
const EMOJI_STYLE = /\ufe0f/g;
const CUT = 'is a longer number than the pattern of the zone matches';
const EMPTY: ZoneValue = { value: null, problem: null };

/** A text to read; `match` is what the pattern of the zone matched in it, or null. */
export interface ReadText {
  text: string;
  ticked: boolean | null;
  match: PatternMatch | null;
}

/** Of the form: `currency` is that of an amount, and `language` says how numbers are written. */
export interface ZoneWriting {
  currency: string | null;
  language: string;
}

/** Reads one text as the value of a field. */
export function zoneValue(zone: ZoneDto, property: ScalarField, { text, ticked, match }: ReadText, writing: ZoneWriting): ZoneValue {
  if (zone.kind === 'signature') return EMPTY;
  if (property.type === 'boolean' && ticked !== null) return { value: ticked, problem: null };
  if (text === '') return property.type === 'boolean' ? wrong('has neither a form field nor text that shows whether it is ticked') : EMPTY;
  const part = zone.pattern ? (match?.text ?? null) : text;
  if (part === null) return wrong('does not match the pattern of the zone');
  if (property.type === 'boolean') return tickOf(part);
  if (property.type !== 'string') return match?.cutsNumber ? wrong(CUT) : numberOf(part, property, writing);
  if (property.format === 'date' || zone.kind === 'date') {
    const day = dayRead(part);
    return day === null ? wrong('is not an unambiguous date') : { value: day, problem: null };
  }
  return { value: part, problem: null };
}

/** A mark or a word, alone or in brackets; empty brackets are a box without a tick. */
function tickOf(text: string): ZoneValue {
  const clean = text.replace(EMOJI_STYLE, '').trim().toLowerCase();
  const box = BOX.exec(clean);
  const mark = box ? (box[1] ?? box[2]).trim() : clean;
  if (TICKED.test(mark)) return { value: true, problem: null };
  if (NOT_TICKED.test(mark) && clean !== '') return { value: false, problem: null };
  return wrong('does not show whether it is ticked');
}

function numberOf(text: string, property: ScalarField, { currency, language }: ZoneWriting): ZoneValue {
  const isMoney = property['x-format'] === 'money';
  const digits = isMoney ? minorDigitsOf(currency) : null;
  const plain = text.replace(/^[^\d-]+|[^\d]+$/g, '');
  const decimal = decimalOf(plain, { language, decimals: digits ?? (property.type === 'integer' ? 0 : null) });
  const value = decimal === null ? null : digits === null ? Number(decimal) : minorUnits(decimal, digits);
  return value === null ? wrong(isMoney ? 'is not an amount' : 'is not a number') : { value, problem: null };
}

/** The separator that joins the lines of a zone to a field's value; null for a table, which has one value per line. */
export function separatorOf(property: FieldProperty | undefined): string | null {
  if (property?.type === 'array') return null;
  return property?.type === 'string' && (property.maxLength as number | undefined) === undefined ? '\n' : ' ';
}

/** ISO, 1.2.2026, 1 February 2026 and February 1, 2026; 1/2/2026 could mean two days, unless one number is above 12. */
function dayRead(text: string): string | null {
  const clean = text.trim();
  const numbers = /^(\d{1,2})([./])\s?(\d{1,2})\2\s?(\d{4})$/.exec(clean);
  if (numbers) {
    const [, first, separator, second, year] = numbers;
    const [one, two] = [Number(first), Number(second)];
    if (separator === '/' && one <= 12 && two <= 12 && one !== two) return null;
    return calendarDay(year, separator === '/' && two > 12 ? [one, two] : [two, one]);
  }
  if (/^\d{4}-\d{2}-\d{2}$/.test(clean)) return isCalendarDay(clean) ? clean : null;
  if (!/^(?:\d{1,2}\.?\s+)?[A-Za-z]{3,9}\.?(?:\s+\d{1,2}(?:st|nd|rd|th)?)?,?\s+\d{4}$/.test(clean)) return null;
  const time = new Date(`${clean.replace(/(\d)(?:st|nd|rd|th|\.)/, '$1')} UTC`);
  return Number.isNaN(time.getTime()) ? null : time.toISOString().slice(0, 10);
}

function calendarDay(year: string, [month, day]: [number, number]): string | null {
  const text = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  return isCalendarDay(text) ? text : null;
}

function wrong(problem: string): ZoneValue {
  return { value: null, problem };
}
