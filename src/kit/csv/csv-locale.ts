import { Temporal } from 'temporal-polyfill';
import { CommonErrors } from '../errors/common-errors.js';
import { isDecimal } from '../values/decimals.js';
import { isCalendarDay, isInstant } from '../values/formats.js';

/** Between the digits of a number, apart from the decimal mark: what spreadsheets and `Intl` write in any language. */
const SPACES_AND_APOSTROPHES = " \u00a0\u202f\u2009'’";
const MINUS = /^\u2212/;
const DATE = /^(\d{1,4})([./-]) ?(\d{1,2})\2 ?(\d{1,4})\.?$/;
/** After a day: hours, minutes and seconds, in 12 or 24 hours. */
const LOCAL_TIME = /^(.{6,}?)(?:T|,?\s+)(\d{1,2})[:.](\d{2})(?:[:.](\d{2})(?:\.0+)?)?(?:\s?([ap])\.?\s?m\.?)?$/i;
/** A decimal that would be a whole number if its point separated thousands. */
const AMBIGUOUS = /^-?[1-9]\d{0,2}\.\d{3}$/;

/** What people and their spreadsheets write into a cell for yes and no. `Intl` does not know. */
const WORDS: Readonly<Record<string, readonly [yes: string, no: string]>> = {
  cs: ['ano a pravda', 'ne n nepravda'],
  da: ['ja j sand', 'nej n falsk'],
  de: ['ja j wahr', 'nein n falsch'],
  en: ['yes y', 'no n'],
  es: ['sí si s verdadero', 'no n falso'],
  fi: ['kyllä k tosi', 'ei e epätosi'],
  fr: ['oui o vrai', 'non n faux'],
  hu: ['igen i igaz', 'nem n hamis'],
  it: ['sì si s vero', 'no n falso'],
  nb: ['ja j sann', 'nei n usann'],
  nl: ['ja j waar', 'nee n onwaar'],
  nn: ['ja j sann', 'nei n usann'],
  no: ['ja j sann', 'nei n usann'],
  pl: ['tak t prawda', 'nie n fałsz'],
  pt: ['sim s verdadeiro', 'não nao n falso'],
  ro: ['da d adevărat', 'nu n fals'],
  ru: ['да д истина', 'нет н ложь'],
  sk: ['áno ano a pravda', 'nie n nepravda'],
  sv: ['ja j sant', 'nej n falskt'],
  tr: ['evet e doğru', 'hayır h yanlış'],
};

/**
 * How a file writes numbers, dates, and yes and no. Nothing is guessed: without a locale it writes them as JSON does.
 *
 * @example
 * ```ts
 * import { CsvLocale } from 'work-suite/kit';
 *
 * const price = CsvLocale.of('de-DE')?.decimal('1.250,50'); // '1250.50'
 * ```
 */
export class CsvLocale {
  private readonly decimalMark: '.' | ',';
  private readonly grouped: RegExp;
  /** The order of day, month and year. */
  private readonly order: string;
  /** Values as such a file has them, for messages. */
  readonly examples: { decimal: string; day: string; flags: string };
  private readonly yes: ReadonlySet<string>;
  private readonly no: ReadonlySet<string>;

  private constructor(readonly tag: string) {
    const parts = new Intl.NumberFormat(tag, { numberingSystem: 'latn' }).formatToParts(12_345_678.5);
    this.decimalMark = parts.some(({ type, value }) => type === 'decimal' && value === ',') ? ',' : '.';
    const isIndian = parts.filter(({ type }) => type === 'integer')[1]?.value.length === 2;
    const separators = `[${SPACES_AND_APOSTROPHES}${this.decimalMark === ',' ? '.' : ','}]`;
    const groups = isIndian ? `\\d{1,2}(${separators})(?:\\d{2}\\3)*\\d{3}` : `\\d{1,3}(${separators})\\d{3}(?:\\3\\d{3})*`;
    this.grouped = new RegExp(`^(-?)(${groups})((?:\\${this.decimalMark}\\d+)?)$`);
    const date = dateParts(tag);
    this.order = date.map(({ type }) => ({ day: 'd', month: 'm', year: 'y' })[type as string] ?? '').join('');
    const [yes, no] = WORDS[new Intl.Locale(tag).language] ?? ['', ''];
    this.yes = new Set(['true', '1', ...yes.split(' ')].filter(Boolean));
    this.no = new Set(['false', '0', ...no.split(' ')].filter(Boolean));
    this.examples = {
      decimal: new Intl.NumberFormat(tag, { numberingSystem: 'latn', minimumFractionDigits: 2 }).format(1234.5),
      day: date.map(({ value }) => value).join(''),
      flags: [this.yes, this.no].map((words) => [...words][2] ?? [...words][0]).join(' or '),
    };
  }

  /** Null if no locale was named. */
  static of(tag: string | undefined): CsvLocale | null {
    if (tag === undefined) return null;
    let known: string[] = [];
    try {
      known = Intl.NumberFormat.supportedLocalesOf([tag]);
    } catch {
      // the tag is malformed
    }
    if (known.length > 0) return new CsvLocale(known[0]);
    throw CommonErrors.validationFailed({ param: 'locale', message: 'locale must be a known BCP 47 tag, such as de-DE, en-US or fr-FR' });
  }

  /** The number with a decimal point and without separators of thousands, or null. */
  decimal(cell: string): string | null {
    const text = cell.replace(MINUS, '-');
    const [, sign, whole, , fraction] = this.grouped.exec(text) ?? [];
    const plain = whole === undefined ? text : `${sign}${whole.replace(/\D/g, '')}${fraction}`;
    const pointed = this.decimalMark === ',' ? plain.replace(/[.,]/g, (mark) => (mark === ',' ? '.' : ',')) : plain;
    return isDecimal(pointed) ? pointed : null;
  }

  /** The day as YYYY-MM-DD, or null. A year has four digits. */
  day(cell: string): string | null {
    if (isCalendarDay(cell)) return cell;
    const [, first, , second, third] = DATE.exec(cell) ?? [];
    if (first === undefined) return null;
    const values = Object.fromEntries([first, second, third].map((value, index) => [this.order[index], value]));
    if (values.y.length !== 4 || values.d.length > 2 || values.m.length > 2) return null;
    const day = `${values.y}-${values.m.padStart(2, '0')}-${values.d.padStart(2, '0')}`;
    return isCalendarDay(day) ? day : null;
  }

  /** A day, or a day with a time, as UTC; null if it is none, or if clocks in the zone skip or repeat it. A day alone is its beginning. */
  instant(cell: string, timezone: string): string | null {
    const [, date = cell, hours = '0', minutes = '0', seconds = '0', half] = LOCAL_TIME.exec(cell) ?? [];
    const day = this.day(date);
    const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
    if (day === null || (half !== undefined && (Number(hours) < 1 || Number(hours) > 12))) return null;
    try {
      const time = { hour, minute: Number(minutes), second: Number(seconds) };
      const local = Temporal.PlainDate.from(day).toPlainDateTime(Temporal.PlainTime.from(time, { overflow: 'reject' }));
      const at = local.toZonedDateTime(timezone, { disambiguation: 'reject' });
      return new Date(at.epochMilliseconds).toISOString();
    } catch (error) {
      if (error instanceof RangeError) return null;
      throw error;
    }
  }

  /** An amount of money as such a file has it. */
  amount(places: number): string {
    return new Intl.NumberFormat(this.tag, {
      numberingSystem: 'latn',
      minimumFractionDigits: places,
      maximumFractionDigits: places,
    }).format(1234.5);
  }

  flag(cell: string): boolean | null {
    const word = cell.normalize('NFC').toLocaleLowerCase(this.tag);
    return this.yes.has(word) ? true : this.no.has(word) ? false : null;
  }
}

/** 28 November 2026. */
function dateParts(tag: string): Intl.DateTimeFormatPart[] {
  const options = { calendar: 'gregory', numberingSystem: 'latn', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(tag, { ...options, day: '2-digit', month: '2-digit', year: 'numeric' }).formatToParts(
    new Date('2026-11-28T00:00:00Z'),
  );
}

/**
 * The decimal of a cell, or null. Without a locale the mark is a point, and a number such as 1.500, which may be 1500, is refused.
 *
 * @example
 * ```ts
 * import { CsvLocale, decimalOfCell } from 'work-suite/kit';
 *
 * const price = decimalOfCell(CsvLocale.of('de-DE'), '1.250,50'); // '1250.50'
 * ```
 */
export function decimalOfCell(locale: CsvLocale | null, cell: string): string | null {
  if (locale) return locale.decimal(cell);
  return isDecimal(cell) && !AMBIGUOUS.test(cell) ? cell : null;
}

/**
 * The day of a cell, or null.
 *
 * @example
 * ```ts
 * import { CsvLocale, dayOfCell } from 'work-suite/kit';
 *
 * const day = dayOfCell(CsvLocale.of('de-DE'), '29.11.2026'); // '2026-11-29'
 * ```
 */
export function dayOfCell(locale: CsvLocale | null, cell: string): string | null {
  return locale ? locale.day(cell) : isCalendarDay(cell) ? cell : null;
}

/** The time of a cell, or null. One without an offset is that of the zone, and needs a locale. */
export function instantOfCell(locale: CsvLocale | null, cell: string, timezone: string | null): string | null {
  if (isInstant(cell)) return cell;
  return locale && timezone !== null ? locale.instant(cell, timezone) : null;
}

/** What a spreadsheet makes of a long number, such as 4.01235E+12, which has lost its last digits. */
const ROUNDED = /^-?\d(?:[.,]\d+)?E\+\d{2,3}$/i;

/**
 * Why a cell of text is certainly not what its author meant, to continue a sentence that the column begins; null if it may be.
 *
 * @example
 * ```ts
 * import { damageOfCell } from 'work-suite/kit';
 *
 * const problem = damageOfCell('4.00638E+12'); // what a spreadsheet made of a long number; null for other cells
 * ```
 */
export function damageOfCell(cell: string): string | null {
  if (!ROUNDED.test(cell.trim())) return null;
  return (
    `is ${cell.trim()}, which lacks the last digits of the number; in the spreadsheet, format the column as a number without ` +
    'decimals, or as text, check that all digits are there, and export the file again'
  );
}

/**
 * The boolean of a cell, or null.
 *
 * @example
 * ```ts
 * import { CsvLocale, flagOfCell } from 'work-suite/kit';
 *
 * const isPaid = flagOfCell(CsvLocale.of('de-DE'), 'ja'); // true
 * ```
 */
export function flagOfCell(locale: CsvLocale | null, cell: string): boolean | null {
  if (locale) return locale.flag(cell);
  const word = cell.toLowerCase();
  return word === 'true' ? true : word === 'false' ? false : null;
}

/**
 * How such a value is written, to continue a message about one that cannot be read.
 *
 * @example
 * ```ts
 * import { cellHint, CsvLocale } from 'work-suite/kit';
 *
 * const message = `price must be a number${cellHint(CsvLocale.of('de-DE'), 'decimal')}`;
 * ```
 */
export function cellHint(locale: CsvLocale | null, kind: 'decimal' | 'day' | 'flags'): string {
  if (locale) return `; in ${locale.tag} it is written as ${locale.examples[kind]}`;
  return "; if the file writes it as people do, name the file's locale, such as locale=de-DE";
}
