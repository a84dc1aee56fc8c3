import { expect, test } from '@jest/globals';
import { numberInWords } from './number-words.js';

const MILLION = 10n ** 6n;
const BILLION = 10n ** 9n;
const TRILLION = 10n ** 12n;

test.each<[language: string, currency: string | null, value: bigint, words: string]>([
  ['he', null, 2n, 'שתיים'],
  ['he', 'EUR', 21n, 'עשרים ואחד'],
  ['he', 'ILS', 12n, 'שנים עשר'],
  ['he', 'GBP', 101n, 'מאה ואחת'],
  ['he', 'EUR', 3_000n, 'שלושת אלפים'],
  ['he', 'EUR', 21_100n, 'עשרים ואחד אלף ומאה'],
  ['he', 'EUR', 2n * MILLION, 'שני מיליון'],
  ['he', 'EUR', 3n * BILLION, 'שלושה מיליארד'],
  ['ar', 'EUR', 21_000n, 'واحد وعشرون ألفاً'],
  ['ar', 'EUR', 101_000n, 'مائة وواحد ألف'],
  ['ar', 'EUR', 200_000n, 'مئتا ألف'],
  ['ar', 'EUR', 100_010_000n, 'مائة مليون وعشرة آلاف'],
  ['ko', 'KRW', TRILLION, '일조'],
  ['ko', 'KRW', 1_100_000_010_000n, '일조 천억 만'],
  ['ko', 'KRW', 10_000n, '만'],
  ['ja', 'JPY', 110n * MILLION, '一億一千万'],
  ['ja', 'JPY', 21_000n, '二万千'],
  ['de', null, 1n, 'eins'],
  ['de', 'EUR', 1n, 'ein'],
  ['de', 'SEK', 1n, 'eine'],
  ['de', 'EUR', 101_000n, 'einhunderteintausend'],
  ['de', 'EUR', 101n * MILLION, 'einhunderteine Millionen'],
  ['es', null, 21n, 'veintiuno'],
  ['es', 'EUR', 21n, 'veintiún'],
  ['es', 'EUR', 21_000n, 'veintiún mil'],
  ['es', null, 31n * MILLION, 'treinta y un millones'],
  ['es', 'GBP', 101n, 'ciento una'],
  ['es', 'GBP', 200_200_200n, 'doscientos millones doscientas mil doscientas'],
  ['fr', 'EUR', 21n, 'vingt et un'],
  ['fr', 'GBP', 21n, 'vingt et une'],
  ['it', 'EUR', 1n, 'un'],
  ['it', 'GBP', 1n, 'una'],
  ['pl', 'EUR', 1n, 'jedno'],
  ['pl', 'CZK', 22n, 'dwadzieścia dwie'],
  ['pl', 'CZK', 12n, 'dwanaście'],
  ['pt', 'BRL', BILLION, 'um bilhão'],
  ['pt', 'BRL', 2n * TRILLION + 16n, 'dois trilhões e dezesseis'],
  ['pt-PT', 'EUR', BILLION, 'mil milhões'],
  ['pt-PT', 'EUR', 21_000n, 'vinte e um mil'],
  ['pt', 'GBP', 2_000_202n, 'dois milhões duzentas e duas'],
  ['pt', null, -5n, 'menos cinco'],
])('in %s, counting %s: %d', (language, currency, value, words) => {
  expect(numberInWords(value, language, currency)).toBe(words);
});
