import { amountsOf } from '../text/amounts.js';
import type { Sentence } from '../text/clauses.js';
import { readContract, type ContractText } from '../text/contract-text.js';
import { keyDatesOf } from '../text/key-dates.js';
import type { Party } from '../text/parties.js';
import type { SummaryResult } from '../provider/provider.js';
import { RENEWS } from './term-rules.js';
import { termsOf, weightsOf } from './term-weights.js';
import { oneOf } from '../text/patterns.js';

/** The subjects of a contract's summary, each with patterns for the heading and for the sentence. */
const SUBJECTS: [string, RegExp, RegExp][] = [
  [
    'Subject',
    /scope|services|subject|purpose|position|duties|premises|grant|licen[cs]e|gegenstand|leistung|mietsache|tätigkeit/i,
    new RegExp(
      String.raw`\b` +
        oneOf(
          'shall provide',
          'will provide',
          'agrees to (?:provide|let|sell|supply)',
          'engages',
          'employs',
          'grants',
          'lets',
          'hereby (?:lets|leases|grants)',
          'erbringt',
          'vermietet',
          'beauftragt',
          'eingestellt',
        ) +
        String.raw`\b`,
      'i',
    ),
  ],
  [
    'Term',
    /\bterm\b|duration|commencement|laufzeit|dauer|beginn|mietzeit/i,
    /\b(?:commences?|continues?|remain in force|initial term|term is|begins?|starts?|beginnt|läuft|laufzeit|unbestimmte zeit)\b/i,
  ],
  ['Renewal', /renew|verlängerung/i, RENEWS],
  [
    'Payment',
    /fees?|pay|price|rent|remuneration|salary|compensation|vergütung|miete|preis|zahlung/i,
    /\b(?:shall pay|pays?|payable|is due|invoices?|annual salary|monthly rent|zahlt|beträgt|zahlbar|fällig|salary of|fees? of)\b/i,
  ],
  ['Liability', /liab|haftung/i, /\b(?:liab\w+|haftet|haftung)\b/i],
  ['Indemnity', /indemn|freistellung/i, /\b(?:indemnif\w*|hold harmless|stellt .{0,60} frei)\b/i],
  ['Termination', /terminat|kündigung/i, /\b(?:terminat\w*|kündig\w*|gekündigt)\b/i],
  ['Confidentiality', /confiden|geheim|vertraulich/i, /\b(?:confidential\w*|vertraulich\w*|geheim\w*)\b/i],
  [
    'Intellectual property',
    /intellectual|propert(?:y|ies) rights|invention|urheber|nutzungsrecht/i,
    /\b(?:intellectual property|copyright|inventions?|nutzungsrecht\w*)\b/i,
  ],
  ['Data protection', /data|privacy|datenschutz/i, /\b(?:personal data|data protection|gdpr|dsgvo|personenbezogen\w*)\b/i],
  [
    'Governing law',
    /law|jurisdiction|recht|gerichtsstand/i,
    new RegExp(
      String.raw`\b` +
        oneOf(
          'governed by(?! (?:the terms of )?this)',
          String.raw`\p{L}+ law (?:shall |exclusively )*(?:appl(?:y|ies)|governs?)`,
          'jurisdiction',
          'courts? of',
          'es gilt',
          'gerichtsstand',
          'recht findet',
        ) +
        String.raw`\b`,
      'iu',
    ),
  ],
];
const CARRIES = /\b(?:shall|must|will|agrees?|may not|entitled|obliged|liable|grants?|muss|ist verpflichtet|haftet|zahlt|darf)\b/i;
const LONGEST_SUMMARY = 1_200;
const LONGEST_POINT = 320;
const MOST_FACTS = 8;

/** Extracts sentences; every sentence but the first is verbatim. */
export function summarize(text: string, customFocus: string | null): SummaryResult {
  const contract = readContract(text);
  const { parties } = contract;
  const focus = new Set(termsOf(customFocus ?? ''));
  const scored = score(contract, focus);
  // the first sentence already names the parties, and table rows are not sentences
  const naming = ({ fullText }: Sentence) => parties.filter(({ name }) => fullText.includes(name)).length >= 2;
  const weightiest = pick(
    scored.filter(({ sentence }) => !naming(sentence) && sentence.label === undefined),
    contract,
  );
  return {
    summary: [opening(contract, parties), ...weightiest.map(({ fullText }) => shortened(fullText, LONGEST_POINT))]
      .filter((part) => part !== null)
      .join(' '),
    key_points: keyPoints(contract, scored, focus),
    parties,
    key_dates: keyDatesOf(contract.sentences, text),
    amounts: amountsOf(contract.sentences),
    warnings: [],
  };
}

interface Scored {
  sentence: Sentence;
  terms: Set<string>;
  score: number;
}

function score({ sentences }: ContractText, focus: ReadonlySet<string>): Scored[] {
  const terms = sentences.map(({ fullText }) => termsOf(fullText));
  const weights = weightsOf(terms);
  return sentences.map((sentence, index) => {
    const own = new Set(terms[index]);
    const fullText = sentence.fullText;
    let weight = 0;
    for (const term of own) weight += weights.get(term)!;
    // the square root neither favors nor penalizes long sentences
    let score = weight / Math.sqrt(own.size + 3);
    if (CARRIES.test(fullText)) score *= 1.3;
    if (/\d/.test(fullText)) score *= 1.1;
    if (fullText.length < 40 || own.size < 4) score *= 0.3;
    if (fullText.length > 500) score *= 0.6;
    // all-capitals notices are long and much alike, and copyright lines say little about the agreement
    if (fullText === fullText.toUpperCase() || /\bcopyright (?:notice|\(c\)|©|\d{4})/i.test(fullText)) score *= 0.5;
    if (/["“„].{2,60}["”“]\s*(?:means?|shall mean|bedeutet)/i.test(fullText)) score *= 0.3;
    const matches = [...own].filter((term) => focus.has(term)).length;
    if (matches) score *= 1 + 2 * matches;
    return { sentence, terms: own, score };
  });
}

/** The highest-scoring sentences without near-duplicates, at most two per clause, in the order of the text. */
function pick(scored: readonly Scored[], { sentences }: ContractText): Sentence[] {
  const wanted = Math.min(6, Math.max(2, Math.round(sentences.length / 8)));
  const ranked = [...scored].sort((a, b) => b.score - a.score);
  const chosen: Scored[] = [];
  let length = 0;
  for (const candidate of ranked) {
    if (chosen.length >= wanted) break;
    const size = Math.min(candidate.sentence.fullText.length, LONGEST_POINT);
    if (length + size > LONGEST_SUMMARY || candidate.sentence.fullText.length < 40 || candidate.terms.size < 5) continue;
    // a list item without its introduction is not a sentence
    if (/^\p{Ll}/u.test(candidate.sentence.fullText)) continue;
    if (chosen.filter(({ sentence }) => sentence.clause === candidate.sentence.clause).length >= 2) continue;
    if (chosen.some(({ terms }) => overlap(terms, candidate.terms) > 0.5)) continue;
    chosen.push(candidate);
    length += size;
  }
  return chosen.map(({ sentence }) => sentence).sort((a, b) => a.start - b.start);
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((term) => b.has(term)).length;
  return shared / Math.max(1, Math.min(a.size, b.size));
}

function keyPoints({ sentences, parties }: ContractText, scored: readonly Scored[], focus: ReadonlySet<string>): string[] {
  const used = new Set<Sentence>();
  const points: string[] = [];
  const add = (label: string, sentence: Sentence) => {
    used.add(sentence);
    points.push(`${label}: ${shortened(sentence.fullText, LONGEST_POINT)}`);
  };
  const focused = focus.size
    ? scored
        .filter(({ terms }) => [...terms].some((term) => focus.has(term)))
        .sort((a, b) => b.score - a.score)
        .slice(0, 3)
    : [];
  for (const { sentence } of focused.sort((a, b) => a.sentence.start - b.sentence.start)) add('In focus', sentence);
  const facts = sentences
    .filter(
      (sentence) =>
        sentence.label &&
        !used.has(sentence) &&
        !/@|\+\d/.test(sentence.fullText) &&
        !parties.some(({ name }) => sentence.fullText.includes(name)),
    )
    .slice(0, MOST_FACTS);
  for (const fact of facts) points.push(shortened(fact.fullText, LONGEST_POINT));
  const known = new Set(facts.map(({ label }) => label!.toLowerCase()));
  const prose = sentences.filter(({ label }) => label === undefined);
  for (const [label, heading, saying] of SUBJECTS) {
    if (known.has(label.toLowerCase())) continue;
    const candidates = prose.filter((sentence) => !used.has(sentence) && saying.test(sentence.fullText) && sentence.fullText.length >= 30);
    // a sentence under the right heading is preferred to a mention elsewhere
    const best =
      candidates.find(({ clause }) => heading.test(clause.heading ?? '')) ??
      candidates.find(({ fullText }) => CARRIES.test(fullText) || /\d{4}/.test(fullText)) ??
      candidates[0] ??
      prose.find((sentence) => !used.has(sentence) && heading.test(sentence.clause.heading ?? '') && CARRIES.test(sentence.fullText));
    if (best) add(label, best);
  }
  return points;
}

function opening({ title }: ContractText, parties: readonly Party[]): string | null {
  const named = parties.map(({ name, role }) => (role ? `${name} (${role})` : name));
  const between = named.length > 1 ? ` between ${named.slice(0, -1).join(', ')} and ${named.at(-1)}` : '';
  if (title === null) return between ? `Contract${between}`.replace(/\.?$/, '.') : null;
  return `${title}${between}`.replace(/\.?$/, '.');
}

function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.lastIndexOf(' ', most - 1);
  return `${text.slice(0, cut > most / 2 ? cut : most - 1)}…`;
}
