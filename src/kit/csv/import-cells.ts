import type { ErrorDetail } from '../errors/errors.js';
import type { FieldSpec } from '../fields/field-specification.js';
import { unitsOf } from '../values/decimals.js';
import { isCurrency } from '../values/formats.js';
import { minorDigitsOf } from '../values/money.js';
import { cellHint, dayOfCell, decimalOfCell, flagOfCell, type CsvLocale } from './csv-locale.js';

/** The cells of a row by the names of their fields, without empty ones. */
export type RawRow = Readonly<Record<string, string>>;

/** A row as the engine of fields reads it, and the messages for cells that it refuses. */
interface ReadCells {
  input: Record<string, unknown>;
  explained: (fault: ErrorDetail) => string;
}

/** Reads cells by the file's locale. A cell that cannot be read stays text, which the field refuses. */
export function cellReader(
  fields: ReadonlyMap<string, FieldSpec>,
  locale: CsvLocale | null,
  areMajor: boolean,
): (row: RawRow, currency: string | null) => ReadCells {
  return (row, currency) => {
    const input: Record<string, unknown> = {};
    for (const [name, cell] of Object.entries(row)) input[name] = valueOf(fields.get(name) as FieldSpec, cell, locale, areMajor, currency);
    const explained = ({ param, message }: ErrorDetail) => {
      const spec = fields.get(param);
      return spec && typeof input[param] === 'string' ? explain(spec, param, message, locale, areMajor, currency) : message;
    };
    return { input, explained };
  };
}

function valueOf(spec: FieldSpec, cell: string, locale: CsvLocale | null, areMajor: boolean, currency: string | null): unknown {
  switch (spec.kind) {
    case 'integer':
      return spec.isAmount && areMajor ? (minorUnits(cell, locale, currency) ?? unread(cell)) : cell;
    case 'decimal':
    case 'number':
      return decimalOfCell(locale, cell) ?? unread(cell);
    case 'date':
      return dayOfCell(locale, cell) ?? cell;
    case 'boolean':
      return flagOfCell(locale, cell) ?? cell;
    default:
      return cell;
  }
}

/** Text that is no number by the locale must not be one by the field's rule. */
function unread(cell: string): string {
  return `\u2026${cell}`;
}

/** The amount as a number of minor units; null if it is none, or is too exact or too large for its currency. */
function minorUnits(cell: string, locale: CsvLocale | null, currency: string | null): number | null {
  if (currency === null || !isCurrency(currency)) return null;
  const decimal = decimalOfCell(locale, withoutCurrency(cell, currency));
  const places = minorDigitsOf(currency);
  // zeros count, too: 1.000 EUR may be 1,000 EUR
  if (decimal === null || (decimal.split('.')[1]?.length ?? 0) > places) return null;
  const units = Number(unitsOf(decimal, places));
  return Number.isSafeInteger(units) ? units : null;
}

/** Spreadsheets write the sign or code of the currency beside the amount, on either side. */
function withoutCurrency(cell: string, currency: string): string {
  if (/^-?\d.*\d$|^\d$/.test(cell)) return cell;
  for (const sign of [currency, signOf(currency, 'narrowSymbol'), signOf(currency, 'symbol')]) {
    if (cell.startsWith(sign)) return cell.slice(sign.length).trim();
    if (cell.startsWith(`-${sign}`)) return `-${cell.slice(sign.length + 1).trim()}`;
    if (cell.endsWith(sign)) return cell.slice(0, -sign.length).trim();
  }
  return cell;
}

function signOf(currency: string, currencyDisplay: 'symbol' | 'narrowSymbol'): string {
  const parts = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay }).formatToParts(0);
  return parts.find(({ type }) => type === 'currency')?.value ?? currency;
}

const HINTS = { decimal: 'decimal', number: 'decimal', date: 'day', boolean: 'flags' } as const;

function explain(
  { kind, isAmount }: FieldSpec,
  param: string,
  message: string,
  locale: CsvLocale | null,
  areMajor: boolean,
  currency: string | null,
): string {
  if (isAmount && areMajor) {
    if (currency === null) return `${param} is in major units, and the row does not tell its currency`;
    return `${param} must be an amount in ${currency} with at most ${minorDigitsOf(currency)} decimals${cellHint(locale, 'decimal')}`;
  }
  if (isAmount) return `${message}; for amounts such as 120.00, import the file with amounts=major`;
  return Object.hasOwn(HINTS, kind) ? message + cellHint(locale, HINTS[kind as keyof typeof HINTS]) : message;
}
