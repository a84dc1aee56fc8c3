import { toCardinal as arabic } from 'n2words/ar-SA';
import { toCardinal as german } from 'n2words/de-DE';
import { toCardinal as english } from 'n2words/en-US';
import { toCardinal as spanish } from 'n2words/es-ES';
import { toCardinal as french } from 'n2words/fr-FR';
import { toCardinal as hebrew } from 'n2words/he-IL';
import { toCardinal as hindi } from 'n2words/hi-IN';
import { toCardinal as italian } from 'n2words/it-IT';
import { toCardinal as japanese } from 'n2words/ja-JP';
import { toCardinal as korean } from 'n2words/ko-KR';
import { toCardinal as dutch } from 'n2words/nl-NL';
import { toCardinal as polish } from 'n2words/pl-PL';
import { toCardinal as portuguese } from 'n2words/pt-PT';
import { toCardinal as thai } from 'n2words/th-TH';
import { toCardinal as simplifiedChinese } from 'n2words/zh-Hans-CN';
import { toCardinal as traditionalChinese } from 'n2words/zh-Hant-TW';

type Cardinal = (value: bigint) => string;

/** Of Portugal; Brazil writes three numbers differently. */
const brazilian: Cardinal = (value) => portuguese(value).replace(/\bdeza(sseis|ssete|nove)\b/g, 'deze$1');

const CARDINALS: Readonly<Record<string, Cardinal>> = {
  ar: arabic,
  de: german,
  en: english,
  es: spanish,
  fr: french,
  he: hebrew,
  hi: hindi,
  it: italian,
  ja: japanese,
  ko: korean,
  nl: dutch,
  pl: polish,
  'pt-BR': brazilian,
  pt: portuguese,
  th: thai,
  'zh-Hant': traditionalChinese,
  zh: simplifiedChinese,
};

/** In which numbers can be written in words; BCP 47. */
export const LANGUAGES_WITH_WORDS: readonly string[] = Object.keys(CARDINALS);

export function hasWords(language: string): boolean {
  return cardinalIn(language) !== undefined;
}

/** A whole number in words, in a language (BCP 47), or else in English. */
export function numberInWords(value: bigint, language: string): string {
  return (cardinalIn(language) ?? english)(value);
}

/** The name of a currency beside an amount, which may have another form for each number. */
export function currencyInWords(currency: string, amount: string, language: string): string {
  const digits = { minimumFractionDigits: amount.split('.').at(1)?.length ?? 0 };
  const format = new Intl.NumberFormat(hasWords(language) ? language : 'en', {
    style: 'currency',
    currency,
    currencyDisplay: 'name',
    ...digits,
  });
  const name = format.formatToParts(amount as Intl.StringNumericLiteral).find(({ type }) => type === 'currency');
  return name?.value ?? currency;
}

function cardinalIn(language: string): Cardinal | undefined {
  // a language without a region is that of most of its speakers: Portuguese that of Brazil
  const { language: base, script, region } = new Intl.Locale(language).maximize();
  return CARDINALS[`${base}-${region}`] ?? CARDINALS[`${base}-${script}`] ?? CARDINALS[base];
}
