import { nameOf } from '../text/contract-text.js';
import { called, WHO, WHOM, wording, type Finding, type RiskRule } from './risk-rules.js';
import { oneOf } from '../text/patterns.js';
import { apart } from '../text/roles.js';

const CARVE_OUT = new RegExp(
  String.raw`\b` +
    oneOf(
      'nothing',
      'no provision',
      'neither party',
      'shall not apply',
      'does not (?:limit|exclude)',
      'except',
      'unless required',
      'fraud',
      'wilful',
      'willful',
      'gross negligence',
      'death',
      'personal injury',
      'vorsatz',
      String.raw`grobe\w* fahrlässigkeit`,
      'verletzung des lebens',
      'produkthaftung',
    ) +
    String.raw`\b`,
  'i',
);

const uncapped = wording({
  title: 'Unlimited liability',
  category: 'liability',
  severity: 'high',
  hint: /liab|haft/i,
  pattern: new RegExp(
    String.raw`(?:${WHO}(?:'s|s)?${apart(80)})?\b` +
      oneOf(
        String.raw`unlimited (?:\w+ )?liab\w+`,
        String.raw`liab\w+.{0,60}` +
          oneOf(
            'unlimited',
            'uncapped',
            String.raw`without (?:any )?limit\w*`,
            'not (?:be )?(?:limited|capped)',
            String.raw`no (?:limit|cap)\b`,
          ),
        String.raw`(?:without|no) (?:any )?(?:limit\w*|cap) (?:on|of|to|as to)\b.{0,30}liab\w+`,
        'fully liable for (?:all|any)',
        String.raw`haft\w+.{0,60}(?:unbeschränkt|unbegrenzt|in voller höhe|der höhe nach nicht)`,
        String.raw`unbe(?:schränkt|grenzt)\w*.{0,40}haft\w+`,
      ),
    'iu',
  ),
  unless: CARVE_OUT,
  burdens: 'who',
  explanation: (who) =>
    `leaves the liability of ${who} without any upper limit, so a single event can cost more than the contract is worth.`,
  recommendation:
    'Agree an upper limit, for example the fees of twelve months, with exceptions only for intent, gross negligence and injury.',
  confidence: 0.85,
});

const excluded = wording({
  title: 'Liability excluded for one side',
  most: 2,
  category: 'liability',
  severity: 'medium',
  hint: /liab|haft/i,
  pattern: new RegExp(
    [
      oneOf('in no event', 'under no circumstances', 'in keinem fall') + String.raw`\b.{0,260}?\b${WHO}${apart(120)}\b(?:liab|haft)`,
      String.raw`${WHO}${apart(30)}\b(?:shall|will|is|are|be)(?: in no event)? not (?:be )?(?:liable|responsible) (?:for|to)`,
      `haftung (?:de[rs] )?${WHO}${apart(40)}ausgeschlossen`,
    ].join('|'),
    'iu',
  ),
  unless: new RegExp(
    String.raw`\b` +
      oneOf(
        'either party',
        'neither party',
        'both parties',
        'each party',
        'in excess of',
        'exceed',
        'force majeure',
        'beyond (?:its|their|the) (?:reasonable )?control',
        'höhere gewalt',
      ) +
      String.raw`\b`,
    'i',
  ),
  burdens: 'other',
  explanation: () => 'excludes the liability of one side, entirely or for whole kinds of damage, so the other side bears that loss.',
  recommendation: 'Make the exclusion mutual, and keep liability for intent, gross negligence, injury and breach of confidence.',
  confidence: 0.7,
});

const warranty = wording({
  title: 'No warranty',
  most: 1,
  category: 'warranty',
  severity: 'medium',
  hint: /warrant|as is|as it is|gewährleistung/i,
  pattern: new RegExp(
    [
      String.raw`["'“]?\bas[ -]is\b["'”]?`,
      String.raw`\bprovided\b.{0,20}\bas it is\b`,
      String.raw`\b(?:no|without|disclaims?|excludes?)\b.{0,40}\b` + oneOf('warrant(?:y|ies)', 'representations? or warrant'),
      'gewährleistung.{0,40}ausgeschlossen',
      'unter ausschluss (?:jeder|jeglicher) gewährleistung',
    ].join('|'),
    'i',
  ),
  unless: /\b(?:mutual|each party|neither party|either party|you (?:must|may|can)|a copy|notices?\b.{0,30}\bwarrant)\b/i,
  burdens: 'receiver',
  explanation: () => 'excludes any warranty, so the recipient bears the risk of defects.',
  recommendation: 'Ask for a warranty that the delivery matches its description, with repair or refund for a stated period.',
  confidence: 0.75,
});

const INDEMNIFIES = new RegExp(
  [
    String.raw`${WHO}${apart(60)}\b` +
      oneOf(
        oneOf('shall', 'will', 'must', 'agrees? to', 'undertakes? to', 'is obliged to') +
          String.raw`\b.{0,60}\b(?:indemnify|hold\b.{0,40}\bharmless|defend)`,
        'indemnifies',
        String.raw`holds\b.{0,40}\bharmless`,
      ) +
      String.raw`\b(?:` +
      oneOf(',', ' and', ' or', ' fully', ' holds?', ' harmless', ' defends?', ' indemnif(?:y|ies)', ' release') +
      String.raw`*\s+${WHOM})?`,
    String.raw`${WHO}${apart(30)}stellt .{0,20}\b${WHOM}.{0,160}\bfrei\b`,
  ].join('|'),
  'iu',
);
const MUTUAL =
  /\b(?:each party|both parties|either party|the parties shall|mutual(?:ly)?|jede partei|beide parteien|gegenseitig|each other)\b/i;

/** One side indemnifies the other without a mutual indemnity. */
const indemnity: RiskRule = ({ sentences, sideOf }) => {
  const given = sentences.flatMap((sentence) => {
    if (!/indemnif|harmless|defend|frei/i.test(sentence.withRoles)) return [];
    const match = INDEMNIFIES.exec(sentence.withRoles);
    if (!match) return [];
    const who = match.groups!.who ?? null;
    return [
      { sentence, who, whom: match.groups!.whom ?? null, side: who === null ? null : sideOf(who), mutual: MUTUAL.test(sentence.withRoles) },
    ];
  });
  if (given.some(({ mutual }) => mutual)) return [];
  const sides = new Set(given.map(({ side }) => side));
  if (given.length === 0 || sides.size > 1) return [];
  const { sentence, who, whom, side } = given[0];
  return [
    {
      title: 'One-sided indemnity',
      category: 'indemnity',
      severity: 'medium',
      burdens: side,
      sentence,
      explanation:
        `${nameOf(sentence.clause)} obliges ${called(who)} to indemnify ` +
        `${whom === null || whom === who || /^we$/i.test(whom) ? 'another' : called(whom)}, and nothing obliges the other side to do ` +
        `the same.`,
      recommendation:
        'Make the indemnity mutual, or limit it to claims that the indemnifying party caused, with a cap and control of the defence.',
      confidence: 0.8,
    } satisfies Finding,
  ];
};

export const LIABILITY_RULES: readonly RiskRule[] = [uncapped, excluded, warranty, indemnity];
