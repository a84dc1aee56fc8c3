const UNITS = {
  feminine: ['', 'אחת', 'שתיים', 'שלוש', 'ארבע', 'חמש', 'שש', 'שבע', 'שמונה', 'תשע', 'עשר'],
  masculine: ['', 'אחד', 'שניים', 'שלושה', 'ארבעה', 'חמישה', 'שישה', 'שבעה', 'שמונה', 'תשעה', 'עשרה'],
} as const;
/** Before `עשר` and `עשרה`. */
const TWO_OF_TWELVE = { feminine: 'שתים', masculine: 'שנים' } as const;
const TENS = ['', '', 'עשרים', 'שלושים', 'ארבעים', 'חמישים', 'שישים', 'שבעים', 'שמונים', 'תשעים'];
/** Of thousands. */
const CONSTRUCT = ['', '', '', 'שלושת', 'ארבעת', 'חמשת', 'ששת', 'שבעת', 'שמונת', 'תשעת', 'עשרת'];
/** From the largest, by powers of ten; all are masculine. */
const SCALES: [power: number, name: string][] = [
  [15, 'קוודריליון'],
  [12, 'טריליון'],
  [9, 'מיליארד'],
  [6, 'מיליון'],
];

export type HebrewGender = keyof typeof UNITS;

/** A whole number in Hebrew words, which depend on the gender of what is counted; plain numbers are feminine. */
export function hebrewWords(value: bigint, gender: HebrewGender): string {
  if (value < 0n) return `מינוס ${hebrewWords(-value, gender)}`;
  if (value === 0n) return 'אפס';
  const groups: string[] = [];
  let rest = value;
  for (const [power, name] of SCALES) {
    const scale = 10n ** BigInt(power);
    const count = rest / scale;
    rest %= scale;
    if (count > 0n) groups.push(count === 1n ? name : `${count === 2n ? 'שני' : hebrewWords(count, 'masculine')} ${name}`);
  }
  const thousands = Number(rest / 1000n);
  if (thousands > 0) groups.push(thousandsIn(thousands));
  const small = smallParts(Number(rest % 1000n), gender);
  return small.length === 0 ? joined(groups) : joined([...groups, ...small]);
}

function thousandsIn(count: number): string {
  if (count === 1) return 'אלף';
  if (count === 2) return 'אלפיים';
  return count <= 10 ? `${CONSTRUCT[count]} אלפים` : `${joined(smallParts(count, 'masculine'))} אלף`;
}

/** Of a number below a thousand: hundreds, tens and units. */
function smallParts(value: number, gender: HebrewGender): string[] {
  const [hundreds, below] = [Math.floor(value / 100), value % 100];
  const parts: string[] = [];
  if (hundreds > 0) parts.push(['מאה', 'מאתיים'][hundreds - 1] ?? `${UNITS.feminine[hundreds]} מאות`);
  if (below > 10 && below < 20) {
    const unit = below === 12 ? TWO_OF_TWELVE[gender] : UNITS[gender][below - 10];
    return [...parts, `${unit} ${gender === 'feminine' ? 'עשרה' : 'עשר'}`];
  }
  if (below >= 20) parts.push(TENS[Math.floor(below / 10)]);
  const unit = below <= 10 ? below : below % 10;
  return unit > 0 ? [...parts, UNITS[gender][unit]] : parts;
}

/** "And" stands before the last part only. */
function joined(parts: readonly string[]): string {
  return parts.map((part, index) => (index > 0 && index === parts.length - 1 ? `ו${part}` : part)).join(' ');
}
