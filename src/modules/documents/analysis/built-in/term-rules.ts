import type { Sentence } from '../text/clauses.js';
import { nameOf } from '../text/contract-text.js';
import type { Severity } from '../provider/provider.js';
import { called, WHO, wording, type Finding, type RiskRule } from './risk-rules.js';
import { oneOf } from '../text/patterns.js';
import { apart, otherSide, type Side } from '../text/roles.js';

export const RENEWS = new RegExp(
  String.raw`\b` +
    oneOf(
      String.raw`automatic\w*.{0,40}\brenew\w*`,
      String.raw`renew\w*.{0,60}\b(?:automatic\w*|successive|tacit\w*)`,
      oneOf('term', 'lease', 'agreement', 'contract', 'subscription') +
        String.raw`\b.{0,60}\b` +
        oneOf(
          String.raw`automatic\w*.{0,20}\b(?:extend|prolong)\w*`,
          String.raw`(?:extend|prolong)\w*.{0,30}\b(?:automatic\w*|successive)`,
        ),
      'deemed .{0,20}renewed',
      String.raw`verlänger\w*.{0,60}(?:automatisch|stillschweigend|jeweils|um (?:ein|weitere))`,
      String.raw`(?:automatisch|stillschweigend|jeweils).{0,60}verlänger\w*`,
    ),
  'i',
);
const PERIOD = new RegExp(
  String.raw`\b(?<count>` +
    [
      String.raw`\d{1,3}`,
      'one',
      'two',
      'three',
      'six',
      'twelve',
      'eighteen',
      'twenty-four',
      'thirty',
      'sixty',
      'ninety',
      String.raw`ein\w*`,
      'zwei',
      'drei',
      'sechs',
      'zwölf',
    ].join('|') +
    String.raw`)\b\)?(?:\s*\(\d{1,3}\))?[ -](?:` +
    oneOf('calendar', 'business', 'further', 'additional', 'full', String.raw`weitere\w*`) +
    ' )?(?<unit>day|week|month|year|tag|woche|monat|jahr)',
  'gi',
);
const WORDS: Record<string, number> = {
  one: 1,
  two: 2,
  three: 3,
  six: 6,
  twelve: 12,
  eighteen: 18,
  'twenty-four': 24,
  thirty: 30,
  sixty: 60,
  ninety: 90,
  zwei: 2,
  drei: 3,
  sechs: 6,
  zwölf: 12,
};
const DAYS: Record<string, number> = { day: 1, tag: 1, week: 7, woche: 7, month: 30, monat: 30, year: 365, jahr: 365 };

function periodsIn(text: string): number[] {
  return [...text.matchAll(PERIOD)].map(({ groups }) => {
    const count = groups!.count.toLowerCase();
    return (WORDS[count] ?? (/^\d/.test(count) ? Number(count) : 1)) * DAYS[groups!.unit.toLowerCase()];
  });
}

const NOTICE = /\b(?:notice|prior|before|object\w*|opt\w* out|declin\w*|kündig\w*|vor ablauf|widersprech\w*|widerspricht)\b/i;

const renewal: RiskRule = ({ sentences }) =>
  sentences
    .filter(
      ({ withRoles }) => RENEWS.test(withRoles) && !/\b(?:not|no|nicht) (?:be )?(?:automatic\w*|renew\w*|verlänger\w*)\b/i.test(withRoles),
    )
    .slice(0, 2)
    .map((sentence) => {
      // the notice period may be in a separate sentence or clause
      const notice = sentences.some(
        ({ withRoles, clause }) =>
          (clause === sentence.clause || (clause.heading !== null && clause.heading === sentence.clause.heading)) && NOTICE.test(withRoles),
      );
      const periods = periodsIn(sentence.withRoles);
      const [longest, shortest] = [Math.max(0, ...periods), Math.min(...periods)];
      return {
        title: 'Automatic renewal',
        category: 'renewal',
        severity: longest >= 365 || !notice ? 'medium' : 'low',
        burdens: 'receiver',
        sentence,
        explanation:
          `${nameOf(sentence.clause)} renews the contract ` +
          `automatically${longest >= 365 ? ', for a year or more at a time,' : ''} ${
            notice
              ? `unless notice is given in time${periods.length > 1 && shortest < longest ? ` (about ${shortest} days before)` : ''}`
              : 'and provides no way to opt out'
          }.`,
        recommendation: 'Note the last day for notice, or ask for renewal by express agreement only.',
        confidence: 0.9,
      };
    });

const CAUSE = new RegExp(
  String.raw`\b` +
    oneOf(
      'breach',
      'default',
      'cause',
      String.raw`insolven\w*`,
      String.raw`bankrupt\w*`,
      String.raw`violat\w*`,
      'fails? to',
      'failure',
      'misconduct',
      'gross',
      'remed(?:y|ied)',
      'cure',
      String.raw`infring\w*`,
      'non-?payment',
      'important reason',
      'comply',
      'complies',
      'zahlungsverzug',
      String.raw`wichtige\w* grund`,
      'pflichtverletzung',
    ) +
    String.raw`\b`,
  'i',
);
const NEGATED = /\b(?:may not|shall not|cannot|kann nicht|nicht ohne) .{0,30}(?:terminat|kündig)/i;
const withoutNotice = wording({
  title: 'Termination without notice',
  category: 'termination',
  severity: 'medium',
  hint: /terminat|revoke|cancel|suspend|kündig/i,
  pattern: new RegExp(
    [
      String.raw`${WHO}${apart(80)}\b` +
        oneOf('may', 'can', 'is entitled to', 'are entitled to', 'reserves? the right to', 'has the right to', 'kann', 'ist berechtigt') +
        String.raw`\b.{0,60}\b` +
        oneOf(String.raw`terminat\w*`, 'revoke', 'cancel', 'suspend', 'kündigen') +
        String.raw`\b.{0,80}\b` +
        oneOf(
          String.raw`immediate\w*`,
          'at any time',
          'without (?:any )?(?:prior )?(?:notice|cause|reason)',
          'for any reason',
          'with immediate effect',
          'fristlos',
          'jederzeit',
          'ohne einhaltung',
        ),
      String.raw`${WHO}${apart(60)}\b(?:may|can|kann)\b.{0,40}\b` +
        oneOf('at any time', 'immediately', 'without (?:prior )?notice', 'jederzeit', 'fristlos') +
        String.raw`\b.{0,40}\b` +
        oneOf(String.raw`terminat\w*`, 'revoke', 'cancel', 'suspend', 'kündigen'),
    ].join('|'),
    'iu',
  ),
  unless: new RegExp(
    [
      CAUSE.source,
      NEGATED.source,
      String.raw`\b(?:either|each) party\b`,
      String.raw`\b\d+\)? (?:calendar |business )?(?:days|weeks|months)\b`,
      String.raw`\b(?:jede|beide)\w* partei\w*`,
    ].join('|'),
    'i',
  ),
  burdens: 'other',
  explanation: () => 'lets one side end or suspend the contract immediately and without cause, so the other cannot rely on it.',
  recommendation: 'Ask for a period of notice, for example 30 days, and for a reason where the end is immediate.',
  confidence: 0.75,
});

const ENDS = new RegExp(
  String.raw`${WHO}${apart(60)}\b` +
    oneOf('may', 'can', 'is entitled to', 'has the right to', 'kann', 'ist berechtigt') +
    String.raw`\b.{0,80}\b` +
    oneOf('terminate', 'cancel', '(?:end|withdraw from) (?:it|this|the (?:agreement|contract|lease|licen[cs]e|employment))', 'kündigen') +
    String.raw`\b`,
  'iu',
);
const BOTH = new RegExp(
  [
    String.raw`\b(?:either|each|any|both) part(?:y|ies)\b.{0,80}\b(?:terminat|cancel|end (?:it|this|the)\b)`,
    String.raw`\bthe parties may (?:each )?(?:terminate|cancel|end)\b`,
    String.raw`\bterminat\w*.{0,40}\bby (?:either|each) party`,
    String.raw`\bboth parties\b`,
    String.raw`\b(?:jede\w*|beide\w*) (?:vertrags)?partei\w*.{0,60}kündig`,
    'von (?:beiden|jeder) (?:vertrags)?partei',
    'beidseitig',
    'beiderseitig',
  ].join('|'),
  'i',
);

/** Only one side may terminate without cause, or with a shorter notice period. */
const asymmetrical: RiskRule = ({ sentences, sideOf }) => {
  const rights = sentences
    .filter(({ withRoles }) => /terminat|cancel|\b(?:end|withdraw)\b|kündig/i.test(withRoles))
    .flatMap((sentence) => {
      const match = CAUSE.test(sentence.withRoles) || NEGATED.test(sentence.withRoles) ? null : ENDS.exec(sentence.withRoles);
      const side = match ? sideOf(match.groups!.who) : null;
      return match && side
        ? [{ sentence, who: match.groups!.who, side, notice: Math.min(...periodsIn(sentence.withRoles), Infinity) }]
        : [];
    });
  if (rights.length === 0 || sentences.some(({ withRoles }) => BOTH.test(withRoles) && !CAUSE.test(withRoles))) return [];
  const [first] = rights;
  const other = rights.find(({ side }) => side !== first.side);
  if (!other)
    return [
      asymmetry(
        first.sentence,
        otherSide(first.side),
        `gives ${called(first.who)} a right to end the contract without a reason; the other side has none.`,
        'medium',
      ),
    ];
  const [sooner, later] = first.notice <= other.notice ? [first, other] : [other, first];
  if (sooner.notice === later.notice || later.notice === Infinity) return [];
  return [
    asymmetry(
      sooner.sentence,
      later.side,
      `lets ${called(sooner.who)} end the contract with ${sooner.notice} days' notice, while ${called(later.who)} needs ${later.notice}.`,
      'medium',
    ),
  ];
};

function asymmetry(sentence: Sentence, burdens: Side | null, explanation: string, severity: Severity): Finding {
  return {
    title: 'Unequal rights to terminate',
    category: 'termination',
    severity,
    burdens,
    sentence,
    explanation: `${nameOf(sentence.clause)} ${explanation}`,
    recommendation: 'Ask for the same right and the same period of notice for both sides.',
    confidence: 0.7,
  };
}

const CHANGED =
  'terms|agreement|contract|conditions|prices?|fees?|charges|rent|services?|features|policy|policies|duties|place ' +
  'of work|specification\\w*|bedingungen|preise?|vergütung|leistung\\w*|miete|vertrag\\w*';
const change = wording({
  title: 'Unilateral change',
  category: 'unilateral_change',
  severity: 'medium',
  hint: /modif|amend|chang|revis|updat|increas|adjust|vary|ändern|anpass|anzupass|erhöh/i,
  pattern: new RegExp(
    [
      String.raw`${WHO}${apart(60)}\b` +
        oneOf(
          'may',
          'can',
          'is entitled to',
          'are entitled to',
          'reserves? the right to',
          'has the right to',
          'kann',
          'ist berechtigt',
          'behält sich',
        ) +
        String.raw`\b.{0,80}(?<!\p{L})` +
        oneOf(
          'modify',
          'amend',
          'change',
          'revise',
          'update',
          'increase',
          'adjust',
          'vary',
          'alter',
          'ändern',
          'anzupassen',
          'anpassen',
          'erhöhen',
          'zu ändern',
        ) +
        String.raw`\b.{0,60}\b(?:${CHANGED})\b`,
      String.raw`${WHO}${apart(60)}(?:kann|ist berechtigt|behält sich).{0,80}\b(?:${CHANGED})\b.{0,80}(?<!\p{L})` +
        oneOf('ändern', 'anzupassen', 'anpassen', 'erhöhen'),
    ].join('|'),
    'iu',
  ),
  unless: new RegExp(
    String.raw`\b` +
      oneOf(
        'with (?:the )?(?:prior )?(?:written )?(?:consent|agreement) of',
        String.raw`mutual\w*`,
        'by agreement of both',
        'in writing signed by',
        'may not',
        'only with',
        'consumer price index',
        'mit zustimmung',
        'einvernehmlich',
        String.raw`redistribut\w*`,
        String.raw`(?:modify|change) (?:it|your)\b`,
      ) +
      String.raw`\b`,
    'i',
  ),
  burdens: 'other',
  explanation: (who) => `lets ${who} change what was agreed without the other side's consent.`,
  recommendation: 'Ask for consent, or for notice of at least 30 days with a right to terminate before the change applies.',
  confidence: 0.75,
});

export const TERM_RULES: readonly RiskRule[] = [renewal, withoutNotice, asymmetrical, change];
