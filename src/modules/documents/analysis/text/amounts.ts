import { minorDigitsOf } from '../../../../kit/index.js';
import type { Sentence } from './clauses.js';

const SYMBOLS: Record<string, string> = {
  '€': 'EUR',
  '£': 'GBP',
  $: 'USD',
  us$: 'USD',
  a$: 'AUD',
  c$: 'CAD',
  '¥': 'JPY',
  euro: 'EUR',
  euros: 'EUR',
  dollars: 'USD',
  dollar: 'USD',
  pounds: 'GBP',
  'sfr.': 'CHF',
  francs: 'CHF',
  'u.s. dollars': 'USD',
  'us dollars': 'USD',
};
const CODES = 'EUR USD GBP CHF JPY CAD AUD NZD SEK NOK DKK PLN CZK HUF INR CNY SGD HKD ZAR BRL MXN AED'.split(' ');
const CURRENCY = `US\\$|A\\$|C\\$|[€£$¥]|(?<!\\p{L})(?:${CODES.join('|')}|SFr\\.)(?!\\p{L})`;
const NUMBER = "\\d{1,3}(?:[.,'’\\u00a0\\u202f ]\\d{3})+(?:[.,]\\d{1,2})?(?!\\d)|\\d{1,12}(?:[.,]\\d{1,2})?(?!\\d)";
const SCALE = '(?:[ -]?(?<scale>million|billion|thousand|Mio\\.?|Mrd\\.?|Tsd\\.?|[mk](?!\\p{L})))?';
const BEFORE = new RegExp(`(?<currency>${CURRENCY})[ \\u00a0]?(?<number>${NUMBER})${SCALE}`, 'giu');
const AFTER = new RegExp(
  `(?<![\\d.,])(?<number>${NUMBER})${SCALE}[ \\u00a0]?(?<currency>[€£]|(?:${CODES.join('|')}|euros?|U\\.S\\. dollars|US ` +
    `dollars|dollars|pounds|francs)(?!\\p{L}))`,
  'giu',
);
const SCALES: Record<string, number> = { million: 6, mio: 6, m: 6, billion: 9, mrd: 9, thousand: 3, tsd: 3, k: 3 };

const SUBJECTS: [string, RegExp][] = [
  ['Liability cap', /\b(?:liab\w+|haft\w+)\b/i],
  ['Penalty', /\b(?:penalt\w+|liquidated damages|vertragsstrafe\w*)\b/i],
  ['Late fee', /\blate (?:fee|charge|payment)s?\b|\bmahngebühr\w*/i],
  ['Share capital', /\b(?:share capital|stammkapital|grundkapital)\b/i],
  ['Deposit', /\b(?:deposit|kaution|mietsicherheit)\b/i],
  ['Rent', /\b(?:rent(?:al)?|\w*miete)\b/i],
  ['Salary', /\b(?:salary|wages?|remuneration|compensation|\w*gehalt|\w*vergütung)\b/i],
  ['Bonus', /\bbonus\b/i],
  ['Insurance', /\b(?:insurance|insured|versicherung\w*)\b/i],
  ['Operating costs', /\b(?:service charges?|utilities|operating costs|nebenkosten\w*|betriebskosten\w*)\b/i],
  ['Fee', /\b(?:fees?|subscription|licen[cs]e fee|gebühr\w*|honorar|entgelt\w*)\b/i],
  ['Price', /\b(?:price|purchase|\w*preis|sum|costs?)\b/i],
  ['Payment', /\b(?:pay\w*|paid|zahl\w*|invoice\w*)\b/i],
];
const PERIODS: [string, RegExp][] = [
  ['per month', /^.{0,24}\b(?:per (?:calendar )?month|monthly|a month|each month|monatlich|pro monat|\/ ?month)\b/i],
  ['per year', /^.{0,24}\b(?:per (?:year|annum|contract year)|annually|a year|yearly|jährlich|pro jahr|brutto jährlich|\/ ?year)\b/i],
  ['per day', /^.{0,24}\b(?:per (?:\w+ )?day|daily|pro tag|je tag)\b/i],
  ['per hour', /^.{0,24}\b(?:per hour|an hour|hourly|pro stunde|je stunde)\b/i],
];
const REACH = 90;

/** The amounts of money in a text, in minor units, each with a label. */
export function amountsOf(sentences: readonly Sentence[]): { amount: number; currency: string; label: string }[] {
  const found: { amount: number; currency: string; label: string }[] = [];
  for (const { fullText, clause, label: fact } of sentences) {
    if (!/\d/.test(fullText)) continue;
    let passed = 0;
    for (const { amount, currency, start, end } of sumsIn(fullText)) {
      const label = labelOf(
        fullText.slice(Math.max(passed, start - REACH), start),
        fullText.slice(end, end + REACH),
        fact || clause.heading,
      );
      if (!found.some((sum) => sum.amount === amount && sum.currency === currency && sum.label === label))
        found.push({ amount, currency, label });
      passed = end;
    }
  }
  return found.slice(0, 50);
}

function sumsIn(text: string) {
  const sums: { amount: number; currency: string; start: number; end: number }[] = [];
  for (const form of [BEFORE, AFTER]) {
    for (const match of text.matchAll(form)) {
      const { number, scale, currency: written } = match.groups!;
      const currency = SYMBOLS[written.toLowerCase()] ?? written.toUpperCase();
      const amount = minorUnits(number, scale, currency);
      const [start, end] = [match.index, match.index + match[0].length];
      if (amount !== null && !sums.some((sum) => start < sum.end && end > sum.start)) sums.push({ amount, currency, start, end });
    }
  }
  return sums.sort((a, b) => a.start - b.start);
}

/** Two digits after the last point or comma are decimals, three are a group: 1.500 equals 1,500. */
function minorUnits(written: string, scale: string | undefined, currency: string): number | null {
  const [, whole, decimals = ''] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(written)!;
  const power = scale ? (SCALES[scale.toLowerCase().replace('.', '')] ?? 0) : 0;
  const amount = Math.round(Number(`${whole.replace(/\D/g, '')}.${decimals || '0'}`) * 10 ** power * 10 ** minorDigitsOf(currency));
  return Number.isSafeInteger(amount) ? amount : null;
}

/** The label from the closest match before the amount, else after it, else from the heading. */
function labelOf(before: string, after: string, heading: string | null): string {
  let label: string | null = null;
  let nearest = -1;
  for (const [name, pattern] of SUBJECTS) {
    const last = [...before.matchAll(new RegExp(pattern, 'gi'))].at(-1);
    if (last && last.index > nearest && !(name === 'Payment' && label)) [label, nearest] = [name, last.index];
  }
  label ??=
    SUBJECTS.find(([, pattern]) => pattern.test(after.slice(0, 40)))?.[0] ??
    SUBJECTS.find(([, pattern]) => pattern.test(heading ?? ''))?.[0] ??
    heading ??
    'Amount';
  const period =
    PERIODS.find(([, pattern]) => pattern.test(after))?.[0] ??
    (/\b(?:monthly|monatliche?\w*)\b[^.;]{0,60}$/i.test(before)
      ? 'per month'
      : /\b(?:annual|yearly|jährliche?\w*)\b[^.;]{0,60}$/i.test(before)
        ? 'per year'
        : null);
  return period ? `${label} ${period}` : label;
}
