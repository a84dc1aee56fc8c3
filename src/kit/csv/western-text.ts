import { analyse } from 'chardet';
import iconv from 'iconv-lite';

/** A word that is hardly one of Windows-1252. */
export interface Doubt {
  /** As Windows-1252 would show it. */
  example: string;
  line: number;
  /** What the file looks like instead. */
  likely: { charset: string; example: string } | null;
}

/** Words beyond ASCII that are looked at. */
const MOST_WORDS = 20_000;
/** Fewer odd words are foreign names, or spellings that the rules below do not know. */
const LEAST_ODD = 3;
const LEAST_ODD_SHARE = 1 / 3;
/** The share of the odd words that must be usual ones in the other charset, or be of another script. */
const LEAST_EXPLAINED_SHARE = 0.8;
/** Doubtful words that are read in other charsets. */
const MOST_DOUBTFUL = 200;

/** Runs of letters and of bytes beyond ASCII. */
const WORDS = /[A-Za-z\u0080-\u00ff]+/g;
const BEYOND_ASCII = /[\u0080-\u00ff]/;
/** The part of a word that is looked at: the expressions below take long for endless ones. */
const LONGEST_WORD = 64;
/** Spaces, apostrophes, dashes, ellipses and bullets between words. */
const SEPARATORS = /[\u00a0\u00ad\u0091\u0092\u0096\u0097\u0085\u0095\u00b7]/;

/** Signs that directly precede and follow words, as bytes. ³ and ª follow short words only: m³, Srª. */
const BEFORE = /^[\u0082\u0084\u008b\u0093\u0094\u009b«»¿¡§°µ±]+/;
const AFTER = /[\u0080\u0086\u0087\u008b\u0093\u0094\u0099\u009b«»°®©]+$|(?<=^[A-Za-z]{0,3})[²³ªº¹]+$/;
/** Bytes without a character in Windows-1252. */
const UNDEFINED = /[\u0081\u008d\u008f\u0090\u009d]/;
/** No letter at all, such as "5 €" and "½". */
const SIGNS = /^[^A-Za-z\u008a\u008c\u008e\u009a\u009c\u009e\u009f\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u00ff]+$/;

/** The letters of each language that Windows-1252 can write, in small letters. A word has those of one. */
const ALPHABETS = [
  /** German, Swedish, Finnish, Danish, Norwegian, with the letters of their foreign words. */
  'äöüßåæøéèêàôšž',
  /** French, Dutch, Afrikaans, Albanian. */
  'àâçéèêëîïôœùûüÿáíóúäö',
  /** Spanish, Catalan, Galician. */
  'áéíóúüñïàèòç',
  'áâãàçéêíóôõúü',
  /** Italian, Gaelic. */
  'àèéìíîòóùú',
  /** Icelandic. */
  'áðéíóúýþæö',
  /** Estonian. */
  'äöõüšž',
].map((letters) => new RegExp(`^[a-z${letters}]*$`));

/** Words of other scripts consist of such bytes, or have a sign between letters. */
const OTHER_SCRIPT = /[^\x00-\x7f]{4}|^[^\x00-\x7f]{3,}$|\p{L}(?![\p{L}\p{M}])[^\x00-\x7f]\p{L}/u;
/** Spellings that no language with the letters has; in other charsets the bytes are usual letters. */
const ODD = [
  // a capital inside of a word of small letters
  /[a-zß-öø-ÿ][ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞŠŒŽŸ]|\p{L}[ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞŠŒŽŸ][a-zß-öø-ÿ]/u,
  OTHER_SCRIPT,
  /ù(?=\p{L})/iu,
  /è(?=[aeiouyáéíóú])/i,
  /ç(?=[bdfghjklmnpqrstvwxz])/i,
  /iæ$/i,
  // ß of DOS, as in Straße and weiß
  /aá|[io]á$/i,
  /^ð/i,
];

/** Words with these letters are doubtful unless as many others have the letters that the language has as often: Icelandic, Estonian. */
const NEEDS: readonly [RegExp, RegExp][] = [
  [/^(?=.*[ðýþ])[a-zðýþ]*$/i, /[áíóúæ]/i],
  [/õ(?!e)/i, /ä/i],
];

const POLISH = 'ąćęłńóśźż';
const CZECH = 'áčďéěíňóřšťúůýžľĺŕôä';
const HUNGARIAN = 'áéíóöőúüű';
const ROMANIAN = 'ăâîșțşţ';
const SLOVENE = 'čćđšž';
const WESTERN = 'äöüßåæøéèêëàâçñáíóú';
const latin = (...alphabets: string[]) => new RegExp(`^(?:${alphabets.map((letters) => `[a-z]*(?:[${letters}][a-z]*)+`).join('|')})$`);
const only = (script: string) => new RegExp(`^\\p{Script=${script}}+$`, 'u');
/** The charsets that a file can have instead, with what a word in them looks like in small letters. Among equals, the first one wins. */
const CANDIDATES: readonly [charset: string, looks: RegExp][] = [
  ['windows-1251', only('Cyrillic')],
  ['koi8-r', only('Cyrillic')],
  ['ibm866', only('Cyrillic')],
  ['windows-1253', only('Greek')],
  ['windows-1255', only('Hebrew')],
  ['windows-1256', only('Arabic')],
  // without its digits
  ['windows-874', /^[\u0e01-\u0e3a\u0e40-\u0e4e]+$/],
  ['windows-1254', latin('çğıöşüâîû\u0307')],
  ['windows-1250', latin(POLISH, CZECH, HUNGARIAN, ROMANIAN, SLOVENE)],
  ['iso-8859-2', latin(POLISH, CZECH, HUNGARIAN, ROMANIAN, SLOVENE)],
  ['windows-1257', latin('ąčęėįšųūž', 'āčēģīķļņšūž', 'äöõüšž')],
  ['macintosh', latin(WESTERN)],
  ['ibm850', latin(WESTERN)],
  ['shift_jis', /^(?!.*[\uff61-\uff9f])[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}ー]+$/u],
  ['euc-kr', only('Hangul')],
  ['gbk', only('Han')],
  ['big5', only('Han')],
];

/**
 * Null if a file in one byte per character can be Windows-1252. It cannot if it has bytes that Windows-1252 does not define, or if many of
 * its words are odd and are usual words in another charset, or of another script.
 */
export function doubtOf(file: Buffer): Doubt | null {
  const odd = new Set<{ bytes: string; line: number }>();
  const pending = NEEDS.map(() => ({ words: [] as { bytes: string; line: number }[], proofs: 0 }));
  let words = 0;
  let line = 0;
  let isCertain = false;
  for (const text of file.toString('latin1').split(/\r\n|[\r\n]/)) {
    if (words >= MOST_WORDS) break;
    line++;
    if (!BEYOND_ASCII.test(text)) continue;
    for (const [whole] of text.matchAll(WORDS)) {
      if (words >= MOST_WORDS) break;
      const bytes = whole.slice(0, LONGEST_WORD);
      const isUndefined = UNDEFINED.test(whole);
      if (!isUndefined && !BEYOND_ASCII.test(bytes)) continue;
      if (!isUndefined && SIGNS.test(bytes)) continue;
      words++;
      const found = { bytes, line };
      isCertain ||= isUndefined;
      if (isUndefined || bytes.split(SEPARATORS).some(isOdd)) odd.add(found);
      NEEDS.forEach(([needy, proof], index) => {
        if (needy.test(bytes)) pending[index].words.push(found);
        else if (proof.test(bytes)) pending[index].proofs++;
      });
    }
  }
  for (const { words: needy, proofs } of pending) if (needy.length > proofs) needy.forEach((word) => odd.add(word));
  if (!isCertain && (odd.size < Math.min(LEAST_ODD, words) || odd.size < words * LEAST_ODD_SHARE)) return null;
  const doubtful = [...odd].slice(0, MOST_DOUBTFUL);
  if (doubtful.length === 0) return null;
  const likely = likelyOf(doubtful.map(({ bytes }) => bytes));
  const explained = doubtful.filter(({ bytes }) => likely?.fits(bytes) || OTHER_SCRIPT.test(asWestern(bytes))).length;
  if (!isCertain && explained < doubtful.length * LEAST_EXPLAINED_SHARE) return null;
  const shown = doubtful.find(({ bytes }) => likely?.fits(bytes)) ?? doubtful[0];
  return {
    example: asWestern(shown.bytes),
    line: shown.line,
    likely: likely && { charset: likely.charset, example: likely.read(shown.bytes) },
  };
}

function isOdd(bytes: string): boolean {
  if (UNDEFINED.test(bytes)) return true;
  const word = asWestern(bytes.replace(BEFORE, '').replace(AFTER, ''));
  if (!/[^\x00-\x7f]/.test(word)) return false;
  const small = word.toLowerCase();
  return !ALPHABETS.some((letters) => letters.test(small)) || ODD.some((odd) => odd.test(word));
}

function asWestern(bytes: string): string {
  return iconv.decode(Buffer.from(bytes, 'latin1'), 'windows-1252');
}

/** Charsets of Windows that contain those that are detected. */
const DETECTED: Readonly<Record<string, string>> = { 'ISO-8859-7': 'windows-1253', 'ISO-8859-8': 'windows-1255', GB18030: 'gbk' };

/** The charset in which most of the words look like words; among equals, the one that `analyse` prefers. */
function likelyOf(words: readonly string[]) {
  const [{ name }] = analyse(Buffer.from(words.join(' '), 'latin1'));
  // every second byte of a character of Big5 can be a letter; those of GBK hardly are
  const isPaired = name === 'Big5' && !/[A-Za-z]/.test(words.join(''));
  const detected = isPaired ? 'gbk' : (DETECTED[name] ?? name.toLowerCase());
  let best = null;
  let most = 0.5;
  for (const [charset, looks] of CANDIDATES) {
    const read = (bytes: string) => iconv.decode(Buffer.from(bytes, 'latin1'), charset);
    const fits = (bytes: string) => {
      const word = read(bytes).replaceAll('’', '');
      const hasOddCapital = /\p{Ll}\p{Lu}|\p{L}\p{Lu}\p{Ll}/u.test(word);
      return !hasOddCapital && word !== asWestern(bytes) && looks.test(word.toLowerCase().normalize());
    };
    const count = words.filter(fits).length + (charset === detected ? 0.5 : 0);
    if (count <= most) continue;
    most = count;
    best = { charset, read, fits };
  }
  return best;
}
