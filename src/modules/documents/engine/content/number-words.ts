import { toCardinal as arabic } from 'n2words/ar-SA';
import { toCardinal as german } from 'n2words/de-DE';
import { toCardinal as english } from 'n2words/en-US';
import { toCardinal as spanish } from 'n2words/es-ES';
import { toCardinal as french } from 'n2words/fr-FR';
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
import { hebrewWords } from './hebrew-words.js';

type Gender = 'masculine' | 'feminine' | 'neuter';

/** `gender`: of the currency that is counted; null for a plain number. */
type Cardinal = (value: bigint, gender: Gender | null) => string;

/** Currencies of another gender than the masculine, by their names. */
const GENDERS: Readonly<Record<string, [name: RegExp, gender: Gender][]>> = {
  ar: [[/ليرة|ليرات|روبية|كرونة|هريفنيا/, 'feminine']],
  de: [[/krone|rupie|lira|hrywnja|mark/i, 'feminine']],
  es: [[/libra|corona|rupia|lira|grivna/i, 'feminine']],
  fr: [[/livre|couronne|roupie|hryvnia/i, 'feminine']],
  he: [[/לירה|לירות/, 'feminine']],
  it: [[/sterlin|coron|rupi|\blir[ae]|grivn/i, 'feminine']],
  pl: [
    [/koron|rupi|lir|hrywn/i, 'feminine'],
    [/euro/i, 'neuter'],
  ],
  pt: [[/libra|coroa|rupia|lira|hryvnia/i, 'feminine']],
};

/** `replaced` in turn: a pattern and what stands in its place. */
const corrected = (text: string, ...replaced: [RegExp, string][]) =>
  replaced.reduce((one, [pattern, place]) => one.replace(pattern, place), text);

const arabicWords: Cardinal = (value, gender) =>
  corrected(
    arabic(value, { gender: gender === 'feminine' ? 'feminine' : 'masculine' }),
    [/ و(ألف|مليون|مليار|تريليون) \1/g, ' وواحد $1'],
    [/مئتان (?=ألف|مليون|مليار|تريليون)/g, 'مئتا '],
    [/(?<=(?:عشر|ون) )(ألف|مليون|مليار|تريليون)$/, '$1اً'],
    [/(?<=(?:مائة|مئتا) )(ألف|مليون|مليار|تريليون)اً/g, '$1'],
  );

const germanWords: Cardinal = (value, gender) => {
  if (value === 1n && gender !== null) return gender === 'feminine' ? 'eine' : 'ein';
  return corrected(german(value), [/eins (?=Milli|Billi|Trilli)/g, 'eine '], [/einstausend/g, 'eintausend']);
};

const spanishWords: Cardinal = (value, gender) => {
  const words = spanish(value, { gender: gender === 'feminine' ? 'feminine' : 'masculine' });
  const shortened = corrected(words, [/veintiuno (?=mil|bill|trill)/g, 'veintiún '], [/\buno (?=mil|bill|trill)/g, 'un ']);
  if (gender === 'masculine') return corrected(shortened, [/veintiuno$/, 'veintiún'], [/\buno$/, 'un']);
  // after the last million
  return gender === 'feminine'
    ? corrected(shortened, [/\bcienta\b/g, 'ciento'], [/(cient|quinient)os(?!.*ll(?:ón|ones))/g, '$1as'])
    : shortened;
};

const frenchWords: Cardinal = (value, gender) => (gender === 'feminine' ? french(value).replace(/\bun$/, 'une') : french(value));

const italianWords: Cardinal = (value, gender) => {
  if (value === 1n && gender !== null) return gender === 'feminine' ? 'una' : 'un';
  return italian(value);
};

const polishWords: Cardinal = (value, gender) => {
  if (value === 1n && gender === 'neuter') return 'jedno';
  return gender === 'feminine' ? polish(value, { gender }).replace(/\bdwa$/, 'dwie') : polish(value);
};

/** The words before the last million count millions, which are masculine. */
const feminineInPortuguese = (words: string) => {
  const [millions, rest] = /^(.*(?:lhão|lhões|lião|liões)\b)?(.*)$/su.exec(words)?.slice(1) ?? ['', words];
  return (millions ?? '') + corrected(rest, [/\bum\b/g, 'uma'], [/\bdois\b/g, 'duas'], [/entos\b/g, 'entas']);
};

const portugueseWords: Cardinal = (value, gender) => {
  const words = corrected(portuguese(value), [/(?<!e )\bum (?=mil milhões)/g, '']);
  return gender === 'feminine' ? feminineInPortuguese(words) : words;
};

/** Of Brazil, where a billion has nine zeros; three numbers are spelled differently. */
const brazilianWords: Cardinal = (value, gender) => {
  const parts: string[] = value < 0n ? ['menos'] : [];
  let rest = value < 0n ? -value : value;
  for (const [scale, one, many] of [
    [10n ** 12n, 'trilhão', 'trilhões'],
    [10n ** 9n, 'bilhão', 'bilhões'],
  ] as const) {
    const count = rest / scale;
    rest %= scale;
    if (count > 0n) parts.push(`${portuguese(count)} ${count === 1n ? one : many}`);
  }
  if (rest > 0n || parts.length === 0) {
    const words = gender === 'feminine' ? feminineInPortuguese(portuguese(rest)) : portuguese(rest);
    parts.push(parts.length > 0 && value > 0n && (rest < 100n || (rest < 1000n && rest % 100n === 0n)) ? `e ${words}` : words);
  }
  return parts.join(' ').replace(/\bdeza(sseis|ssete|nove)\b/g, 'deze$1');
};

/** From a hundred million, the unit is written before its name. */
const koreanWords: Cardinal = (value) => corrected(korean(value), [/(^|\s)(?=[억조경해])/g, '$1일'], [/(?<=[억조경해])만/g, ' 만']);

/** A thousand of a larger unit has its "one". */
const japaneseWords: Cardinal = (value) =>
  japanese(value).replace(/(?<![一二三四五六七八九])千(?=[一二三四五六七八九十百]*[万億兆京])/g, '一千');

const CARDINALS: Readonly<Record<string, Cardinal>> = {
  ar: arabicWords,
  de: germanWords,
  en: (value) => english(value),
  es: spanishWords,
  fr: frenchWords,
  he: (value, gender) => hebrewWords(value, gender === 'masculine' ? 'masculine' : 'feminine'),
  hi: (value) => hindi(value),
  it: italianWords,
  ja: japaneseWords,
  ko: koreanWords,
  nl: (value) => dutch(value),
  pl: polishWords,
  'pt-BR': brazilianWords,
  pt: portugueseWords,
  th: (value) => thai(value),
  'zh-Hant': (value) => traditionalChinese(value),
  zh: (value) => simplifiedChinese(value),
};

/** In which numbers can be written in words; BCP 47. */
export const LANGUAGES_WITH_WORDS: readonly string[] = Object.keys(CARDINALS);

export function hasWords(language: string): boolean {
  return cardinalIn(language) !== undefined;
}

/** A whole number in words, in a language (BCP 47), or else in English; in the gender of the currency that it counts, if any. */
export function numberInWords(value: bigint, language: string, currency: string | null = null): string {
  return (cardinalIn(language) ?? CARDINALS.en)(value, currency === null ? null : genderOf(currency, language));
}

function genderOf(currency: string, language: string): Gender {
  const name = currencyInWords(currency, '1', language);
  return GENDERS[new Intl.Locale(language).language]?.find(([pattern]) => pattern.test(name))?.[1] ?? 'masculine';
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
