import { minorDigitsOf } from '../../../../kit/index.js';

/** How a person writes numbers. */
export interface Writing {
  /** BCP 47. */
  language: string;
  /** The most decimals that the number can have; null for any. */
  decimals: number | null;
  /** ISO 4217; null for an amount of an unknown currency, undefined for a number that is no amount. */
  currency?: string | null;
}

interface Separators {
  decimal: ReadonlySet<string>;
  group: ReadonlySet<string>;
}

const APOSTROPHES = /['‘’ʼ´`′]/g;
const DASHES = /[‐‑‒–—−]/g;
/** What stands for no minor units behind a decimal separator, as in 12,- and 12.--. */
const NO_DECIMALS = /^[.,]--?/;
const BY_THREE = /^[1-9]\d{0,2}(?:([.,' ])\d{3})(?:\1\d{3})*$/;
/** 12,50,000: the last three digits, then groups of two. */
const BY_TWO = /^[1-9]\d?(?:([, ])\d{2})(?:\1\d{2})*\1\d{3}$/;
const BY_TWO_CURRENCIES: ReadonlySet<string> = new Set(['INR', 'PKR', 'BDT', 'NPR', 'LKR', 'BTN']);
/** Signs that people write and Intl does not know. */
const MORE_SIGNS: Readonly<Record<string, readonly string[]>> = {
  CHF: ['fr.', 'fr', 'sfr.', 'sfr', 'franken', 'stutz'],
  EUR: ['eur.', 'euro', 'euros'],
  INR: ['rs.', 'rs', 'rupees'],
  PKR: ['rs.', 'rs'],
  JPY: ['円', '¥', 'yen'],
  CNY: ['元', '¥', 'rmb'],
  GBP: ['£', 'pounds'],
  USD: ['us$', 'dollars'],
};

/**
 * A number as people type it, such as € 1,250 or 1 250,00, with a decimal point and without groups; null if it is none, or could
 * be two. A single point or comma before three digits means what it means in the language. Another currency than the
 * field's makes it no number.
 */
export function decimalOf(text: string, { language, decimals, currency }: Writing): string | null {
  const plain = text.replace(APOSTROPHES, "'").normalize('NFKC').replace(DASHES, '-').replace(/\s+/g, ' ').trim();
  const parts = /^([^\d]*)(\d(?:[\d.,' ]*\d)?)([^\d]*)$/.exec(plain);
  if (!parts) return null;
  const [, before, number, after] = parts;
  const head = headOf(before, currency, language);
  const tail = after.replace(currency === undefined ? '' : NO_DECIMALS, '').trim();
  if (head === null || !isSign(tail, currency, language)) return null;
  // a number that ends with a dash has its decimal separator before it
  const isWhole = currency !== undefined && NO_DECIMALS.test(after);
  const decimal = head.isFraction ? (/^\d+$/.test(number) && !isWhole ? `0.${number}` : null) : read(number, language, decimals, currency);
  if (decimal === null || (isWhole && decimal.includes('.'))) return null;
  return `${head.isNegative ? '-' : ''}${decimal}`;
}

/** A number as a person would type it in the language, without groups. `number` has a decimal point. */
export function typedNumber(number: string, language: string): string {
  const [decimal = '.'] = separatorsOf(language, 'EUR').decimal;
  return number.replace('.', decimal);
}

/** An amount of minor units as a person would type it. */
export function typedAmount(minor: number, digits: number, language: string): string {
  const text = String(Math.abs(minor)).padStart(digits + 1, '0');
  const decimal = digits > 0 ? `${text.slice(0, -digits)}.${text.slice(-digits)}` : text;
  return `${minor < 0 ? '-' : ''}${typedNumber(decimal, language)}`;
}

/** A number that shows how the language groups digits and separates decimals. `decimals` null: any number of them. */
export function exampleNumber(language: string, decimals: number | null): string {
  const digits = decimals ?? 1;
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: 'always', numberingSystem: 'latn' } as const;
  return new Intl.NumberFormat(language, options).format(digits > 0 ? 1250.5 : 1250);
}

/** What precedes the digits: a minus sign, the currency, and the separator of a number such as .50. Null for something else. */
function headOf(before: string, currency: Writing['currency'], language: string): { isNegative: boolean; isFraction: boolean } | null {
  const signs = before.match(/[-+]/g) ?? [];
  if (signs.length > 1) return null;
  const words = before.replace(/[-+]/, '').trim();
  const isNegative = signs[0] === '-';
  if (isSign(words, currency, language)) return { isNegative, isFraction: false };
  return /[.,]$/.test(before) && isSign(words.slice(0, -1).trim(), currency, language) ? { isNegative, isFraction: true } : null;
}

/** Whether a text is nothing or a sign of the currency. */
function isSign(text: string, currency: Writing['currency'], language: string): boolean {
  if (text === '') return true;
  if (currency === undefined) return false;
  if (currency === null) return /^(?:\p{Sc}|[A-Z]{3})$/u.test(text);
  return signsOf(currency, language).has(text.toLowerCase());
}

const signs = new Map<string, ReadonlySet<string>>();

/** What people write for a currency: its code, symbols and names. */
function signsOf(currency: string, language: string): ReadonlySet<string> {
  const key = `${currency} ${language}`;
  const known = signs.get(key);
  if (known) return known;
  const isCode = /^[A-Z]{3}$/.test(currency);
  const found = [language, 'en'].flatMap((locale) =>
    (['symbol', 'narrowSymbol', 'name'] as const).flatMap((currencyDisplay) =>
      [1, 2].map((count) =>
        partsOf(locale, { style: 'currency', currency: isCode ? currency : 'EUR', currencyDisplay }, count, 'currency'),
      ),
    ),
  );
  const all = new Set(
    [currency, ...(isCode ? found.flat() : []), ...(MORE_SIGNS[currency] ?? [])].map((sign) => sign.normalize('NFKC').toLowerCase()),
  );
  signs.set(key, all);
  return all;
}

function read(text: string, language: string, decimals: number | null, currency: Writing['currency']): string | null {
  const used = text.replace(/\d/g, '');
  if (used === '') return text;
  const last = used.at(-1) as string;
  const isRepeated = used.split(last).length > 2;
  const at = text.lastIndexOf(last);
  const [whole, fraction] = [text.slice(0, at), text.slice(at + 1)];
  if (new Set(used).size > 1) {
    // the decimal separator differs from that of the groups
    const digits = isRepeated || !/[.,]/.test(last) ? null : ungrouped(whole, language, currency);
    return digits === null ? null : `${digits}.${fraction}`;
  }
  if (isRepeated || !/[.,]/.test(last)) return ungrouped(text, language, currency);
  const isDecimal = !/^[1-9]\d{0,2}$/.test(whole) || fraction.length !== 3;
  if (isDecimal) return `${whole}.${fraction}`;
  const { decimal, group } = separatorsOf(language, currency ?? 'EUR');
  if (decimal.has(last) === group.has(last)) return null;
  // 1,250 could have three decimals, and 1.250 could be a thousand
  if (group.has(last)) return decimals === 3 ? null : `${whole}${fraction}`;
  return decimals === 0 ? null : `${whole}.${fraction}`;
}

/** The digits of a number with groups of one kind, or null. */
function ungrouped(text: string, language: string, currency: Writing['currency']): string | null {
  const isGrouped = BY_THREE.test(text) || (BY_TWO.test(text) && groupsByTwo(language, currency));
  return isGrouped ? text.replace(/\D/g, '') : null;
}

function groupsByTwo(language: string, currency: Writing['currency']): boolean {
  return (
    BY_TWO_CURRENCIES.has(currency ?? '') ||
    (partsOf(language, {}, 1_250_000, 'group').length > 1 && partsOf(language, {}, 1_250_000, 'integer')[1].length === 2)
  );
}

const separators = new Map<string, Separators>();

/** The separators of plain numbers and of amounts, which differ in Austria and Switzerland. */
function separatorsOf(language: string, currency: string): Separators {
  const key = `${language} ${currency}`;
  const known = separators.get(key);
  if (known) return known;
  const styles: Intl.NumberFormatOptions[] = [{}, { style: 'currency', currency: minorDigitsOf(currency) > 0 ? currency : 'EUR' }];
  const of = (type: 'decimal' | 'group') =>
    new Set(
      styles.flatMap((style) => partsOf(language, style, 1_234_567.8, type)).map((one) => one.replace(APOSTROPHES, "'").normalize('NFKC')),
    );
  const found = { decimal: of('decimal'), group: of('group') };
  separators.set(key, found);
  return found;
}

function partsOf(language: string, options: Intl.NumberFormatOptions, number: number, type: Intl.NumberFormatPartTypes): string[] {
  const format = new Intl.NumberFormat(language, { numberingSystem: 'latn', useGrouping: 'always', ...options });
  return format.formatToParts(number).flatMap((part) => (part.type === type ? [part.value] : []));
}
