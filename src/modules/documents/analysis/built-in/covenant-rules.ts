import { nameOf } from '../text/contract-text.js';
import { WHO, wording, type RiskRule } from './risk-rules.js';
import { oneOf } from '../text/patterns.js';
import { apart } from '../text/roles.js';

const RATE = new RegExp(
  String.raw`(?<rate>\d{1,3}(?:[.,]\d{1,2})?) ?(?:%|per ?cent|percent|prozent)(?:.{0,30}?(?<per>` +
    [
      'per (?:calendar )?month',
      'a month',
      'monthly',
      'each month',
      'per day',
      'daily',
      'per week',
      'per annum',
      'per year',
      'a year',
      'annually',
      'pro monat',
      'monatlich',
      'pro tag',
      'täglich',
      'pro jahr',
      'jährlich',
      String.raw`p\.\s?a\.?`,
    ].join('|') +
    '))?',
  'i',
);

/** Interest above common statutory rates, converted to a yearly rate. */
const interest: RiskRule = ({ sentences }) =>
  sentences
    .flatMap((sentence) => {
      const { withRoles, clause } = sentence;
      if (
        !/\b(?:interest|late (?:fee|charge|payment)|overdue|zinsen|verzugszinsen|verzug)\b/i.test(withRoles) ||
        /basiszins|base rate|statutory (?:interest|rate)/i.test(withRoles)
      )
        return [];
      const groups = /(?:interest|late (?:fee|charge|payment)|overdue|zinsen|verzug)/i.test(withRoles)
        ? RATE.exec(withRoles)?.groups
        : undefined;
      if (!groups) return [];
      const per = groups.per ?? '';
      const times = /day|daily|tag|täglich/i.test(per) ? 365 : /week/i.test(per) ? 52 : /month|monat/i.test(per) ? 12 : 1;
      const yearly = Number(groups.rate.replace(',', '.')) * times;
      if (yearly <= 9) return [];
      return [
        {
          title: 'Penalty interest',
          category: 'payment' as const,
          severity: yearly > 24 ? ('high' as const) : ('medium' as const),
          burdens: 'receiver' as const,
          sentence,
          explanation: `${nameOf(clause)} charges about ${Math.round(yearly * 10) / 10} % interest a year on late payments.`,
          recommendation: 'Ask for the statutory rate, and for a reminder before interest accrues.',
          confidence: 0.8,
        },
      ];
    })
    .slice(0, 2);

const penalty = wording({
  title: 'Contractual penalty',
  category: 'payment',
  severity: 'medium',
  hint: /penalt|liquidated|vertragsstrafe|forfeit|verwirk/i,
  pattern: new RegExp(
    `(?:${WHO}${apart(100)})?` +
      oneOf(
        String.raw`\b(?:contractual )?penalt(?:y|ies) (?:of|in the amount|equal|for each)`,
        String.raw`\bliquidated damages\b`,
        String.raw`\bpay .{0,20}penalt\w+`,
        String.raw`\bforfeits?\b.{0,40}\b(?:deposit|fees?|payment)`,
        'vertragsstrafe',
      ),
    'iu',
  ),
  unless: /\b(?:no penalt|without penalt|keine vertragsstrafe|criminal)/i,
  burdens: 'who',
  explanation: () => 'makes a fixed sum payable on a breach, regardless of the actual damage.',
  recommendation: 'Limit the sum, tie it to fault, and have it count towards any damages.',
  confidence: 0.75,
});

const exclusivity = wording({
  title: 'Exclusivity',
  category: 'exclusivity',
  severity: 'medium',
  hint: /exclusiv|exklusiv|ausschließlich|any other|sole supplier|solely from/i,
  pattern: new RegExp(
    [
      String.raw`${WHO}${apart(80)}\b` +
        oneOf('shall', 'will', 'must', 'agrees? to', 'undertakes? to') +
        String.raw`\b(?: not)?.{0,80}\b` +
        oneOf(
          'exclusively (?:from|with|to|for|through|use|engage|purchase|work)',
          'solely from',
          oneOf('purchase', 'obtain', 'procure', 'engage', 'use', 'work', 'provide', 'render') +
            String.raw`\b.{0,60}\b` +
            oneOf('exclusively', 'any other (?:supplier|provider|vendor|person|employer|company|client|customer)'),
        ),
      String.raw`\b(?:sole and exclusive|exclusive) ` +
        oneOf('supplier', 'provider', 'vendor', 'distributor', 'agent', 'dealer', 'partner') +
        String.raw`\b`,
      String.raw`\bexklusiv(?:e|er|en)? (?:lieferant|anbieter|partner|vertrieb)\w*`,
      `${WHO}${apart(60)}ausschließlich (?:bei|von|durch|für) de[rnm] ` + oneOf('auftragnehmer', 'lieferant', 'anbieter', 'arbeitgeber'),
    ].join('|'),
    'iu',
  ),
  unless: /\bnon-?exclusive|nicht[- ]exklusiv|exclusive (?:jurisdiction|remedy|property|owner)/i,
  burdens: 'who',
  explanation: () => 'obliges one side to deal with the other only, so it cannot switch when prices or quality change.',
  recommendation: 'Limit exclusivity in time, territory and subject, and tie it to agreed service and price.',
  confidence: 0.7,
});

const nonCompete = wording({
  title: 'Non-compete or non-solicitation',
  category: 'non_compete',
  severity: 'medium',
  hint: /compet|solicit|wettbewerb|abwerb/i,
  pattern: new RegExp(
    [
      String.raw`${WHO}${apart(160)}\b` +
        oneOf('shall not', 'will not', 'must not', 'agrees? not to', 'may not', 'undertakes? not to', 'refrain from') +
        String.raw`\b.{0,160}\b` +
        oneOf(String.raw`compet(?:e|es|ing|itive|itor)\w*`, String.raw`solicit\w*`, 'entice'),
      String.raw`\bnon-compet\w+\b`,
      String.raw`\bnachvertragliche[sn]? wettbewerbsverbot`,
      String.raw`${WHO}${apart(120)}\b(?:wettbewerb\w*|konkurrenz\w*|abwerben|abzuwerben)`,
    ].join('|'),
    'iu',
  ),
  unless: /\b(?:anti-?competitive|competition law|kein wettbewerbsverbot|free to compete)\b/i,
  burdens: 'who',
  explanation: () => 'forbids one side to compete with the other or to solicit its employees or customers.',
  recommendation:
    'Check length, territory and compensation: beyond a year, or without pay for the time, it is often void or worth contesting.',
  confidence: 0.75,
});

const rights = wording({
  title: 'Assignment of intellectual property',
  category: 'intellectual_property',
  severity: 'medium',
  hint: /assign|work made for hire|works? for hire|nutzungsrecht|überträgt/i,
  pattern: new RegExp(
    [
      String.raw`${WHO}${apart(60)}\b` +
        oneOf('hereby ', 'irrevocably ', 'agrees? to ', 'shall ', 'will ') +
        String.raw`*(?:assigns?|transfers?)\b.{0,80}\b` +
        oneOf('right', 'title', 'interest', 'intellectual property', 'invention', 'copyright', 'work') +
        String.raw`\w*`,
      String.raw`\bworks? (?:made )?for hire\b`,
      String.raw`${WHO}${apart(60)}(?:überträgt|räumt).{0,120}\b` +
        oneOf(String.raw`ausschließlich\w*`, String.raw`exklusiv\w*`, String.raw`unbeschränkt\w*`) +
        String.raw`\b.{0,80}\b(?:rechte?|nutzungsrechte?)\b`,
    ].join('|'),
    'iu',
  ),
  unless:
    /\b(?:may not|shall not|without (?:the )?(?:prior )?(?:written )?consent)\b.{0,60}\bassign|\bassign\w* (?:this agreement|its rights)/i,
  burdens: 'who',
  explanation: () => 'permanently assigns the rights in the work results to the other side.',
  recommendation: "Exclude earlier work and work made without the other side's resources, and ask for a licence back.",
  confidence: 0.75,
});

const assignment = wording({
  title: 'Assignment without consent',
  category: 'assignment',
  severity: 'low',
  hint: /assign|transfer|übertrag|abtret/i,
  pattern: new RegExp(
    String.raw`${WHO}${apart(40)}\b` +
      oneOf('may', 'can', 'is entitled to', 'kann', 'ist berechtigt') +
      String.raw`\b.{0,60}(?<!\p{L})` +
      oneOf('assign', 'transfer', 'novate', 'übertragen', 'abtreten') +
      String.raw`\b.{0,80}\b` +
      oneOf('without', 'freely', 'at any time', 'to any (?:third party|affiliate|person)', 'ohne') +
      String.raw`\b`,
    'iu',
  ),
  unless: /\b(?:may not|shall not|not assign|neither party|either party|each party|darf nicht|receiving a copy)\b/i,
  burdens: 'other',
  explanation: () => 'lets one side assign the contract to someone else without consent.',
  recommendation: 'Require consent, or ask for a right to terminate if the contract is assigned.',
  confidence: 0.7,
});

const audit = wording({
  title: 'Audit right',
  category: 'audit',
  severity: 'low',
  hint: /audit|inspect|prüf/i,
  pattern: new RegExp(
    String.raw`${WHO}${apart(80)}\b` +
      oneOf('may', 'shall have the right to', 'has the right to', 'reserves? the right to', 'is entitled to', 'kann', 'ist berechtigt') +
      String.raw`\b.{0,60}(?<!\p{L})(?:audit|inspect|examine|prüfen|überprüfen)`,
    'iu',
  ),
  unless: /\b(?:each party|either party|at its own expense and no more than once)\b/i,
  burdens: 'other',
  explanation: () => 'lets one side inspect the premises, books or systems of the other.',
  recommendation: 'Agree notice, frequency, working hours, confidentiality and who bears the cost.',
  confidence: 0.65,
});

const perpetual = wording({
  title: 'Obligation without time limit',
  category: 'confidentiality',
  severity: 'low',
  hint: /perpetu|indefinite|unbefristet|zeitlich unbegrenzt|in perpetuity/i,
  pattern: new RegExp(
    [
      String.raw`\b` +
        oneOf(String.raw`confiden\w+`, String.raw`obligation\w*`, String.raw`secre\w+`, String.raw`geheim\w+`, String.raw`vertraulich\w+`) +
        String.raw`.{0,160}\b` +
        oneOf(String.raw`perpetual\w*`, String.raw`indefinite\w*`, 'in perpetuity', 'unbefristet', 'zeitlich unbegrenzt'),
      String.raw`\b` +
        oneOf(String.raw`perpetual\w*`, String.raw`indefinite\w*`, 'in perpetuity', 'unbefristet', 'zeitlich unbegrenzt') +
        String.raw`.{0,80}\b` +
        oneOf(String.raw`confiden\w+`, String.raw`secre\w+`, String.raw`geheim\w+`, String.raw`vertraulich\w+`),
    ].join('|'),
    'i',
  ),
  burdens: 'both',
  explanation: () => 'has no time limit.',
  recommendation: 'Agree on a time limit, for example three to five years after the contract.',
  confidence: 0.6,
});

const waiver = wording({
  title: 'Arbitration or waiver of court rights',
  category: 'jurisdiction',
  severity: 'medium',
  hint: /arbitrat|waive|class action|jury/i,
  pattern: new RegExp(
    [
      String.raw`\b(?:class action|jury trial|trial by jury)\b`,
      String.raw`\b(?:binding|final and binding|exclusively (?:by|through)) arbitration\b`,
      String.raw`\bsettled by arbitration\b`,
      String.raw`\bwaives? (?:any|all|the|its|their)?.{0,20}\brights? to\b`,
    ].join('|'),
    'i',
  ),
  burdens: 'both',
  explanation: () => 'takes disputes away from the ordinary courts or gives up procedural rights.',
  recommendation: 'Check the seat, the language, the cost and whether urgent relief in court remains possible.',
  confidence: 0.7,
});

const venue = wording({
  title: 'Fixed place of jurisdiction',
  category: 'jurisdiction',
  severity: 'low',
  hint: /jurisdiction|courts?|venue|gerichtsstand/i,
  pattern: new RegExp(
    String.raw`\b` +
      oneOf(
        'exclusive(?:ly)? jurisdiction',
        'courts? of .{2,60}(?:exclusive|sole) jurisdiction',
        'exclusive venue',
        'ausschließlicher gerichtsstand',
        'gerichtsstand (?:für .{0,80} )?ist',
      ) +
      String.raw`\b`,
    'i',
  ),
  unless: /\bnon-exclusive jurisdiction\b/i,
  burdens: 'both',
  explanation: () => 'makes one place the only place of jurisdiction.',
  recommendation: 'Check that proceedings there are affordable; otherwise ask for the courts of the defendant.',
  confidence: 0.7,
});

const embedded: RiskRule = (contract) =>
  contract.embedded.slice(0, 3).map((sentence) => ({
    title: 'Text addressed to automated readers',
    category: 'embedded_instructions',
    severity: 'high',
    burdens: null,
    sentence,
    explanation: `${nameOf(sentence.clause)} contains text that tries to influence a program that analyzes it. It was not followed.`,
    recommendation: 'Ask who added it and why, and have a person review the document.',
    confidence: 0.8,
  }));

export const COVENANT_RULES: readonly RiskRule[] = [
  interest,
  penalty,
  exclusivity,
  nonCompete,
  rights,
  assignment,
  audit,
  perpetual,
  waiver,
  venue,
  embedded,
];
