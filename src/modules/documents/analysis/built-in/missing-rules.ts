import type { Sentence } from '../text/clauses.js';
import type { RiskRule } from './risk-rules.js';
import { oneOf } from '../text/patterns.js';

// Missing clauses. Reporting a clause as missing although it exists is the worst mistake, so every doubtful wording counts as present.

/** The law under which a party was incorporated, which is not the governing law. */
const FORMED = new RegExp(
  String.raw`\b` +
    oneOf(String.raw`compan\w+`, 'corporation', 'partnership', 'entity', 'association') +
    String.raw`?\s*(?:duly )?` +
    oneOf('organi[sz]ed', 'incorporated', 'existing', 'registered', 'established', 'formed', 'constituted') +
    String.raw`\b[^.;]{0,40}\bunder (?:the )?laws? of (?:the )?[^,.;()]{2,40}`,
  'gi',
);
/** Words that precede "law" without being a jurisdiction. */
const NO_PLACE =
  'the|applicable|mandatory|statutory|relevant|such|any|no|all|other|this|that|these|those|its|their|which|' +
  'where|if|as|when|common|local|foreign|domestic|public|private|civil|criminal|contract|company|competition|' +
  'antitrust|tax|labou?r|employment|consumer|copyright|patent|trademark|insolvency|bankruptcy|privacy|' +
  'protection|data|security|securities|export|environmental|international|binding|new|existing|changed?|' +
  'under|by|to|of|and|or|with|that|permitted|required';
const PLACE_LAW =
  `(?<![\\p{L}-])(?!(?:${NO_PLACE})(?![\\p{L}-]))[\\p{L}-]{3,}(?:'s|’s)? ` +
  `(?:(?:substantive|material|civil|private|domestic|internal|national|federal|state) )?laws?(?!\\p{L})`;
const SAYS_LAW = new RegExp(
  [
    '\\bgovern(?:ed|ing|s)?\\b[^.;]{0,120}\\blaws?\\b',
    '\\b(?:proper law|choice of law)\\b',
    '\\bapplicable law (?:is|shall|will)\\b',
    '^(?:applicable )?law: ',
    '\\blaws? (?:of|in force in|applicable in) [^.;]{2,80}',
    '\\b(?:construed|interpreted|enforced)\\b[^.;]{0,60}\\blaws?\\b',
    '\\blitigation .{0,80}courts',
    `${PLACE_LAW}[^.;]{0,60}\\b(?:appl(?:y|ies)|(?:is|are|be) applicable|governs?|controls?|prevails?)\\b`,
    `\\b(?:subject|pursuant|according) (?:exclusively |solely )?to ${PLACE_LAW}`,
    `\\b(?:in accordance with|under) ${PLACE_LAW}`,
    '\\bes gilt .{0,60}recht\\b',
    '\\brecht (?:der|des) (?:bundesrepublik|republik|schweiz\\w*|fürstentums|landes|königreichs|staates)',
    '\\bunterlieg\\w* .{0,80}recht\\b',
    '\\b(?:anwendbares|anzuwendendes) recht\\b',
    '\\brechtswahl\\b',
    '(?<!\\p{L})(?:\\p{L}+isch|deutsch|schweizer)(?:e[smn]?)? (?:materielle[smn]? )?recht(?!\\p{L})',
    '\\p{L}+es recht (?:findet|ist|gilt)',
  ].join('|'),
  'iu',
);
const TITLED_LAW = /\b(?:governing|applicable|choice of) laws?\b|^laws?(?:$|,| and | & )|\banwendbares recht\b|\brechtswahl\b/i;

const lawMissing: RiskRule = ({ sentences }) => {
  if (
    !contractual(sentences) ||
    sentences.some(({ fullText, clause }) => TITLED_LAW.test(clause.heading ?? '') || SAYS_LAW.test(fullText.replace(FORMED, ' ')))
  )
    return [];
  return [
    {
      title: 'No governing law',
      category: 'governing_law',
      severity: 'medium',
      burdens: null,
      sentence: null,
      explanation: 'The text does not say which law applies, so this would have to be argued first in a dispute.',
      recommendation: 'Name the governing law and the competent courts.',
      confidence: 0.65,
    },
  ];
};

const PERSONAL = new RegExp(
  String.raw`\b` +
    oneOf(
      'personal (?:data|information|details)',
      String.raw`personally identif\w+`,
      'data (?:protection|privacy|processing|subjects?)',
      'protection of (?:the )?data',
      'privacy',
      'gdpr',
      'ccpa',
      'hipaa',
      'dsgvo',
      'ds-gvo',
      String.raw`datenschutz\w*`,
      'datenverarbeitung',
      String.raw`personenbezogen\w*`,
    ) +
    String.raw`\b`,
  'i',
);

const dataMissing: RiskRule = ({ sentences }) => {
  if (!contractual(sentences) || sentences.some(({ fullText, clause }) => PERSONAL.test(fullText) || PERSONAL.test(clause.heading ?? '')))
    return [];
  const touched = sentences.some(({ withRoles }) =>
    /\b(?:customer data|employees?|hosting|hosted|patients?|tenants?|daten|arbeitnehmer\w*|mieter\w*)\b/i.test(withRoles),
  );
  return [
    {
      title: 'No data protection clause',
      category: 'data_protection',
      severity: touched ? 'medium' : 'low',
      burdens: null,
      sentence: null,
      explanation: touched
        ? 'The text concerns data or people but says nothing about the protection of personal data.'
        : 'The text says nothing about personal data.',
      recommendation:
        'State who is responsible for personal data and, where one side processes it for the other, add a processing agreement.',
      confidence: touched ? 0.6 : 0.4,
    },
  ];
};

const LIABLE = /\b(?:liab\w+|indemnif\w*|damages|haft\w+|schadensersatz\w*)/i;
const CAP = new RegExp(
  String.raw`\b` +
    oneOf(
      String.raw`(?:aggregate|total|maximum|entire|cumulative|overall)\b.{0,60}\bliab\w+`,
      String.raw`liab\w+.{0,120}` +
        oneOf(
          String.raw`\bnot exceed`,
          String.raw`\bis limited to`,
          String.raw`(?<!\bnot )\bbe limited to`,
          String.raw`\bcapped`,
          String.raw`\blimited in`,
          String.raw`\bup to`,
          String.raw`\bto the extent of`,
          String.raw`\bmaximum of`,
        ),
      'not be liable .{0,60}in excess of',
      String.raw`haft\w+.{0,120}(?:begrenzt|beschränkt|höchstens|maximal|der höhe nach)`,
    ),
  'i',
);
/** A limit of an amount; a limit of days or copies in a liability clause does not count. */
const LIMIT = new RegExp(
  oneOf(
    String.raw`(?<!\bnot )\blimited\b(?: \w+){0,3} to\b`,
    String.raw`\b(?:not|never|nor) (?:\w+ )?exceed\b`,
    String.raw`\b` +
      oneOf(
        'capped',
        'cap of',
        'cap is',
        'up to',
        'at most',
        'in excess of',
        '(?:no|not) more than',
        'no greater than',
        'maximum',
        'ceiling',
        'upper limit',
      ) +
      String.raw`\b`,
    String.raw`\b` +
      oneOf('begrenzt', 'beschränkt', 'höchstens', 'maximal', 'obergrenze', 'höchstbetrag', 'nicht mehr als', 'der höhe nach') +
      String.raw`\b`,
  ) + '.{0,160}',
  'gi',
);
const SUM = new RegExp(
  [
    '[€£$¥%]',
    String.raw`\b` +
      oneOf(
        'EUR',
        'USD',
        'GBP',
        'CHF',
        'fees?',
        'price',
        'charges?',
        'sums?',
        'amounts?',
        'payments?',
        'paid',
        'payable',
        'value',
        'remuneration',
        String.raw`salar\w+`,
        'rent',
        'per cent',
        'percent',
        'times',
        String.raw`insur\w+`,
        'cover(?:age)?',
        'vergütung',
        'honorar',
        String.raw`preis\w*`,
        String.raw`betr[aä]g\w*`,
        String.raw`summe\w*`,
        String.raw`\w*wert(?:es)?`,
        String.raw`\w*gehälter`,
        'prozent',
        String.raw`\w*miete\w*`,
        String.raw`vorhersehbar\w*`,
        String.raw`versicher\w*`,
      ) +
      String.raw`(?!\p{L})`,
  ].join('|'),
  'iu',
);
/** A full exclusion of liability, which counts as a limit too. */
const FREES = new RegExp(
  [
    String.raw`\b(?:in no event|under no circumstances)\b.*\bliable\b`,
    String.raw`\bno (?:\w+ ){1,4}(?:is|are|shall be|will be|can be|may be) (?:held )?liable\b`,
    String.raw`\b(?:shall|will|is|are|can|may) not be (?:held )?liable (?:to \w+ )?for (?:any|all|damages|loss)`,
    String.raw`\b(?:disclaims?|excludes?|waives?)\b.{0,40}\bliabilit`,
    String.raw`\bliabilit\w+\b.{0,40}\bexcluded\b`,
    String.raw`\bno liability\b`,
    String.raw`haftung\b.{0,60}ausgeschlossen`,
  ].join('|'),
  'i',
);
const BEYOND_CONTROL = /\b(?:beyond|outside)\b.{0,40}\bcontrol\b|force majeure|höhere gewalt/i;

/** No clause limits liability. */
const capMissing: RiskRule = ({ sentences }) => {
  const aboutLiability = sentences.filter(({ withRoles }) => LIABLE.test(withRoles));
  const parts = new Set(aboutLiability.map(({ clause }) => clause.heading ?? clause));
  const about = ({ clause }: Sentence) => parts.has(clause.heading ?? clause) || LIABLE.test(clause.heading ?? '');
  const capped = sentences.some((sentence) => {
    const { withRoles } = sentence;
    return (
      (LIABLE.test(withRoles) && CAP.test(withRoles)) ||
      (FREES.test(withRoles) && !BEYOND_CONTROL.test(withRoles)) ||
      // the cap may be in a separate sentence of the same clause
      (about(sentence) && [...withRoles.matchAll(LIMIT)].some(([limit]) => SUM.test(limit)))
    );
  });
  if (capped || !contractual(sentences)) return [];
  return [
    {
      title: 'No limit of liability',
      category: 'liability',
      severity: aboutLiability.length ? 'medium' : 'low',
      burdens: null,
      sentence: null,
      explanation: aboutLiability.length
        ? 'The text mentions liability or damages but sets no upper limit, so only statutory limits apply.'
        : 'The text says nothing about liability, so statutory law alone determines how far each side is liable.',
      recommendation: 'Add a limit of liability for both sides, for example the fees of twelve months.',
      confidence: 0.6,
    },
  ];
};

/** Whether a text is a contract at all; other texts have no missing clauses. */
function contractual(sentences: readonly Sentence[]): boolean {
  const binding = sentences.filter(({ withRoles }) =>
    new RegExp(
      String.raw`\b` +
        oneOf(
          'shall',
          'must',
          'agrees? to',
          'is obliged',
          'verpflichtet',
          'hat .{0,40} zu',
          String.raw`kündig\w*`,
          'haftet',
          'beträgt',
          'party',
          'parties',
          'agreement',
          'contract',
          'licen[cs]e',
          String.raw`vertrag\w*`,
          'mietverhältnis',
          'arbeitsverhältnis',
        ) +
        String.raw`\b`,
      'i',
    ).test(withRoles),
  ).length;
  return binding >= 4;
}

export const MISSING_RULES: readonly RiskRule[] = [capMissing, lawMissing, dataMissing];
