import type { ErrorDetail } from '../errors/errors.js';
import type { FieldSpec } from '../fields/field-specification.js';
import { unitsOf } from '../values/decimals.js';
import { isCurrency } from '../values/formats.js';
import { MAX_AMOUNT, minorDigitsOf } from '../values/money.js';
import { cellHint, damageOfCell, dayOfCell, decimalOfCell, flagOfCell, instantOfCell, type CsvLocale } from './csv-locale.js';

/** The cells of a row by the names of their fields, without empty ones. */
export type RawRow = Readonly<Record<string, string>>;

/** How a file writes values. */
export interface CellFormat {
  locale: CsvLocale | null;
  /** The zone of times without an offset; null if the import has none. */
  timezone: string | null;
  /** Whether amounts are in major units. */
  areMajor: boolean;
}

/** A row as the engine of fields reads it, faults of its cells that the engine does not find, and messages for those that it finds. */
interface ReadCells {
  input: Record<string, unknown>;
  damage: ErrorDetail[];
  explained: (fault: ErrorDetail) => string;
}

/** Reads cells by the file's locale. A cell that cannot be read stays text, which the field refuses. */
export function cellReader(
  fields: ReadonlyMap<string, FieldSpec>,
  format: CellFormat,
): (row: RawRow, currency: string | null) => ReadCells {
  return (row, currency) => {
    const input: Record<string, unknown> = {};
    const damage: ErrorDetail[] = [];
    for (const [name, cell] of Object.entries(row)) {
      const spec = fields.get(name) as FieldSpec;
      const problem = spec.kind === 'string' ? damageOfCell(cell) : null;
      if (problem !== null) damage.push({ param: name, code: 'invalid_value', message: `${name} ${problem}` });
      input[name] = valueOf(spec, cell, format, currency);
    }
    const explained = (fault: ErrorDetail) => {
      const spec = fields.get(fault.param);
      return spec && fault.param in row ? explain(spec, fault, row[fault.param], input[fault.param], format, currency) : fault.message;
    };
    return { input, damage, explained };
  };
}

function valueOf(spec: FieldSpec, cell: string, { locale, timezone, areMajor }: CellFormat, currency: string | null): unknown {
  switch (spec.kind) {
    case 'integer':
      return spec.isAmount && areMajor ? (minorUnits(cell, locale, spec.currency ?? currency) ?? unread(cell)) : cell;
    case 'decimal':
    case 'number':
      return decimalOfCell(locale, cell) ?? unread(cell);
    case 'date':
      return dayOfCell(locale, cell) ?? cell;
    case 'date_time':
      return instantOfCell(locale, cell, timezone) ?? unread(cell);
    case 'boolean':
      return flagOfCell(locale, cell) ?? cell;
    default:
      return cell;
  }
}

const UNREAD = '\u2026';

/** Text that is no value by the locale must not be one by the field's rule. */
function unread(cell: string): string {
  return UNREAD + cell;
}

/** Minor units; a value above the maximum if the amount is too large. Null if the cell is no amount, or has too many decimals. */
function minorUnits(cell: string, locale: CsvLocale | null, currency: string | null): number | null {
  if (currency === null || !isCurrency(currency)) return null;
  const decimal = decimalOfCell(locale, withoutCurrency(cell, currency));
  const places = minorDigitsOf(currency);
  // zeros count, too: 1.000 EUR may be 1,000 EUR
  if (decimal === null || (decimal.split('.')[1]?.length ?? 0) > places) return null;
  const units = Number(unitsOf(decimal, places));
  // the field's own bound is lower or equal
  return Number.isSafeInteger(units) ? units : Math.sign(units) * (MAX_AMOUNT + 1);
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

function explain(
  spec: FieldSpec,
  { param, message }: ErrorDetail,
  cell: string,
  value: unknown,
  { locale, timezone, areMajor }: CellFormat,
  currency: string | null,
): string {
  switch (spec.kind) {
    case 'integer':
      if (!spec.isAmount) return message;
      if (areMajor) return typeof value === 'number' ? `${message}, in minor units` : ofUnreadAmount(param, locale, currency);
      return WHOLE.test(cell) ? message : `${message}; for amounts such as 120.00, import the file with amounts=major`;
    case 'decimal':
    case 'number':
      return isUnread(value) ? message + cellHint(locale, 'decimal') : message;
    case 'date':
      return message + cellHint(locale, 'day');
    case 'boolean':
      return message + cellHint(locale, 'flags');
    case 'date_time':
      if (!isUnread(value)) return message;
      if (locale === null || timezone === null) return message + cellHint(null, 'day');
      return (
        `${message}; in ${locale.tag} it is written as ${locale.examples.day} 14:30, in the time zone ${timezone}, which must neither ` +
        'skip nor repeat that time'
      );
    default:
      return spec.pattern === CURRENCY_PATTERN ? `${param} must be an ISO 4217 code in capitals, such as EUR` : message;
  }
}

const CURRENCY_PATTERN = '^[A-Z]{3}$';
const WHOLE = /^[+-]?\d+$/;

function ofUnreadAmount(param: string, locale: CsvLocale | null, currency: string | null): string {
  if (currency === null) return `${param} is in major units, and the row does not have a currency`;
  if (!isCurrency(currency))
    return `${param} is in major units, and the currency of the row is unknown; write it as its ISO 4217 code in capitals, such as EUR`;
  const places = minorDigitsOf(currency);
  const decimals = places === 0 ? 'no decimals' : `at most ${places} decimals`;
  const hint = locale ? `; in ${locale.tag} it is written as ${locale.amount(places)}` : cellHint(null, 'decimal');
  return `${param} must be an amount in ${currency} with ${decimals}${hint}`;
}

function isUnread(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith(UNREAD);
}
