import type { Sentence } from './clauses.js';

const MONTHS: Record<string, number> = {};
[
  ['january', 'jan', 'januar', 'jänner'],
  ['february', 'feb', 'februar'],
  ['march', 'mar', 'märz', 'maerz'],
  ['april', 'apr'],
  ['may', 'mai'],
  ['june', 'jun', 'juni'],
  ['july', 'jul', 'juli'],
  ['august', 'aug'],
  ['september', 'sep', 'sept'],
  ['october', 'oct', 'oktober', 'okt'],
  ['november', 'nov'],
  ['december', 'dec', 'dezember', 'dez'],
].forEach((names, index) => names.forEach((name) => (MONTHS[name] = index + 1)));
const MONTH = `(?<month>${Object.keys(MONTHS)
  .sort((a, b) => b.length - a.length)
  .join('|')})\\.?`;
const YEAR = '(?<year>(?:19|20)\\d\\d)(?!\\.?\\d)';
const DAY = '(?<day>[0-3]?\\d)';

const ISO = new RegExp(`(?<![\\d-])${YEAR}-(?<month>[01]\\d)-(?<day>[0-3]\\d)(?![\\d-])`, 'giu');
const DAY_FIRST = new RegExp(`(?<!\\d)${DAY}(?:st|nd|rd|th|\\.)?(?: day)?(?: of)? ${MONTH},? ${YEAR}`, 'giu');
const MONTH_FIRST = new RegExp(`(?<!\\p{L})${MONTH} ${DAY}(?:st|nd|rd|th)?,? ${YEAR}`, 'giu');
const DOTTED = new RegExp(`(?<![\\d.])${DAY}\\.\\s?(?<month>[01]?\\d)\\.\\s?${YEAR}`, 'giu');
const SLASHED = new RegExp(`(?<![\\d/])(?<first>[0-3]?\\d)/(?<second>[0-3]?\\d)/${YEAR}`, 'giu');

/** Labels of dates by the words around them; the closest match wins, then the first in this list. */
const LABELS: [string, RegExp][] = [
  ['Signature', /\b(?:signed|executed|signature|unterzeichne\w*|unterschrift)\b/i],
  ['Notice by', /\b(?:notice (?:of|is|must|shall)|notify|kündigung\w*)\b/i],
  ['Renewal', /\b(?:renew\w*|verlänger\w*)\b/i],
  ['Start of employment', /\b(?:employment (?:shall |will )?(?:begin|commence|start)s?|arbeitsverhältnis beginnt|start date)\b/i],
  ['Delivery', /\b(?:deliver\w*|go[- ]live|complet\w+|milestone|lieferung|geliefert|liefert)\b/i],
  ['Invoice', /\b(?:invoices?\b[^.;]{0,40}\b(?:issued|sent|raised)|invoice date|rechnung\w*\b[^.;]{0,40}\bgestellt|rechnungsdatum)\b/i],
  ['Payment due', /\b(?:pay(?:able|ment|s)?|paid|due|invoice\w*|instal\w+|zahlbar|fällig|zahlung)\b/i],
  ['End', /\b(?:until|expir\w+|ends?|ending|terminat\w*|through|to(?=\s*$)|bis|endet|läuft .{0,20}aus|ablauf)\b/i],
  ['Effective date', /\b(?:effective|takes? effect|as of|dated|entered into|made (?:on|this)|in kraft|wirksam)\b/i],
  ['Start', /\b(?:commenc\w+|begin\w*|start\w*|from|since|ab|beginnt|von)\b/i],
  ['Agreement dated', /\b(?:vom|date|datum)\b/i],
];
const REACH = 60;

/** The calendar dates in a text, in order, each once per label. */
export function keyDatesOf(sentences: readonly Sentence[], text: string): { on: string; label: string }[] {
  const dayFirst = daysComeFirst(text);
  const found: { on: string; label: string }[] = [];
  for (const { fullText, label: fact } of sentences) {
    if (!/(?:19|20)\d\d/.test(fullText)) continue;
    let passed = 0;
    for (const { on, start, end } of datesIn(fullText, dayFirst)) {
      const label = labelOf(fullText.slice(Math.max(passed, start - REACH), start), fullText.slice(end, end + REACH), fact);
      if (!found.some((date) => date.on === on && date.label === label)) found.push({ on, label });
      passed = end;
    }
  }
  return found.sort((a, b) => a.on.localeCompare(b.on)).slice(0, 50);
}

function datesIn(text: string, dayFirst: boolean) {
  return [ISO, DAY_FIRST, MONTH_FIRST, DOTTED, SLASHED]
    .flatMap((form) =>
      [...text.matchAll(form)].flatMap((match) => {
        const on = dayOf(match.groups!, dayFirst);
        return on === null ? [] : [{ on, start: match.index, end: match.index + match[0].length }];
      }),
    )
    .sort((a, b) => a.start - b.start);
}

function dayOf(groups: Record<string, string | undefined>, dayFirst: boolean): string | null {
  const [day, month] =
    groups.first === undefined
      ? [Number(groups.day), MONTHS[groups.month!.toLowerCase()] ?? Number(groups.month)]
      : dayFirst
        ? [Number(groups.first), Number(groups.second)]
        : [Number(groups.second), Number(groups.first)];
  const time = new Date(Date.UTC(Number(groups.year), month - 1, day));
  // April 31 is not a valid date
  return time.getUTCMonth() === month - 1 && time.getUTCDate() === day ? time.toISOString().slice(0, 10) : null;
}

/** 03/04/2026 is ambiguous: another date of the text decides, or else signs of an American text. */
function daysComeFirst(text: string): boolean {
  for (const { groups } of text.matchAll(SLASHED)) {
    if (Number(groups!.first) > 12) return true;
    if (Number(groups!.second) > 12) return false;
  }
  return !/\bUS\$|\bUSD\b|\bU\.S\.|\bInc\.|\bLLC\b|\bState of\b/.test(text);
}

/** The closest match before the date decides; a match after it counts only if there is none before. */
function labelOf(before: string, after: string, fact: string | undefined): string {
  let label: string | null = null;
  let nearest = -1;
  for (const [name, pattern] of LABELS) {
    const last = [...before.matchAll(new RegExp(pattern, 'gi'))].at(-1);
    if (!last) continue;
    const end = last.index + last[0].length;
    // a plain "from" directly before the date is less specific than the verb before it
    const plain = /^(?:from|ab|von|vom|date|datum)$/i.test(last[0]) && label !== null && end - nearest < 30;
    if (end > nearest && !plain) [label, nearest] = [name, end];
  }
  if (label) return label;
  if (fact) return fact;
  const following = LABELS.find(([, pattern]) => pattern.test(after.slice(0, 40)));
  if (following) return following[0];
  const words = before
    .replace(/^\S*\s/, '')
    .replace(/[\s,(]+(?:on|of|the|am|by|this)?\s*$/i, '')
    .trim();
  return /\p{L}{4}/u.test(words) ? words : 'Date';
}
