import type { Sentence } from '../../text/clauses.js';
import { nameOf, type ContractText } from '../../text/contract-text.js';
import type { RiskCategory, Severity } from '../provider.js';
import { otherSide, role, type Side } from '../../text/roles.js';

/** What a rule found. */
export interface Finding {
  title: string;
  category: RiskCategory;
  /** As seen by neither side. */
  severity: Severity;
  /** Who bears it; null where both do. */
  burdens: Side | null;
  /** Where it stands; null where the risk is that nothing stands there. */
  sentence: Sentence | null;
  explanation: string;
  recommendation: string;
  confidence: number;
}

export type RiskRule = (contract: ContractText) => Finding[];

interface Wording {
  title: string;
  category: RiskCategory;
  severity: Severity;
  /** The sentence is looked at only where this, a cheap one, matches. */
  hint: RegExp;
  pattern: RegExp;
  unless?: RegExp;
  /** Who bears it: the one the pattern names as `who`, the other, or both alike. */
  burdens: 'who' | 'other' | 'both' | Side;
  /** What follows the name of the clause: "Clause 4 lets the supplier ...". */
  explanation: (who: string) => string;
  recommendation: string;
  confidence: number;
  most?: number;
}

/** At most this many findings of one rule: the fourth of its kind tells a reader nothing new. */
const MOST = 3;

/** A rule that reads one sentence at a time. */
export function wording(rule: Wording): RiskRule {
  return (contract) => {
    const findings: Finding[] = [];
    for (const sentence of contract.sentences) {
      if (!rule.hint.test(sentence.read) || findings.some((finding) => finding.sentence!.clause === sentence.clause)) continue;
      const match = rule.pattern.exec(sentence.read);
      if (!match || rule.unless?.test(sentence.read)) continue;
      const who = match.groups?.who ?? null;
      const side = who === null ? null : contract.sideOf(who);
      const burdens =
        rule.burdens === 'both' ? null : rule.burdens === 'who' ? side : rule.burdens === 'other' ? otherSide(side) : rule.burdens;
      findings.push({
        title: rule.title,
        category: rule.category,
        severity: rule.severity,
        burdens,
        sentence,
        explanation: `${nameOf(sentence.clause)} ${rule.explanation(called(who))}`,
        recommendation: rule.recommendation,
        confidence: rule.confidence,
      });
    }
    const titled = ({ sentence }: Finding) => (rule.hint.test(sentence!.clause.heading ?? '') ? 0 : 1);
    // what stands where it belongs says it best
    return findings.sort((a, b) => titled(a) - titled(b)).slice(0, rule.most ?? MOST);
  };
}

export function called(who: string | null): string {
  if (who === null) return 'one party';
  return /^(?:you|we)$/i.test(who) ? `"${who.toLowerCase()}"` : `the ${who.charAt(0).toUpperCase()}${who.slice(1).toLowerCase()}`;
}

export const WHO = role('who');
export const WHOM = role('whom');
