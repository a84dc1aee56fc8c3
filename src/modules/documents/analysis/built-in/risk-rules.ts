import type { Sentence } from '../text/clauses.js';
import { nameOf, type ContractText } from '../text/contract-text.js';
import type { RiskCategory, Severity } from '../provider/provider.js';
import { otherSide, role, type Side } from '../text/roles.js';

/** A finding of a rule. */
export interface Finding {
  title: string;
  category: RiskCategory;
  /** The severity from a neutral perspective. */
  severity: Severity;
  /** The side that bears the risk; null for both. */
  burdens: Side | null;
  /** The sentence found; null if the risk is a missing clause. */
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
  /** A cheap pattern that decides whether the sentence is examined at all. */
  hint: RegExp;
  pattern: RegExp;
  unless?: RegExp;
  /** The side that bears the risk: the one captured as `who`, the other one, or both. */
  burdens: 'who' | 'other' | 'both' | Side;
  /** The text after the name of the clause: "Clause 4 lets the supplier ...". */
  explanation: (who: string) => string;
  recommendation: string;
  confidence: number;
  most?: number;
}

/** At most this many findings per rule; more of the same kind add no information. */
const MOST = 3;

/** Creates a rule that reads one sentence at a time. */
export function wording(rule: Wording): RiskRule {
  return (contract) => {
    const findings: Finding[] = [];
    for (const sentence of contract.sentences) {
      if (!rule.hint.test(sentence.withRoles) || findings.some((finding) => finding.sentence!.clause === sentence.clause)) continue;
      const match = rule.pattern.exec(sentence.withRoles);
      if (!match || rule.unless?.test(sentence.withRoles)) continue;
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
    // a finding under a matching heading is the best example
    return findings.sort((a, b) => titled(a) - titled(b)).slice(0, rule.most ?? MOST);
  };
}

export function called(who: string | null): string {
  if (who === null) return 'one party';
  return /^(?:you|we)$/i.test(who) ? `"${who.toLowerCase()}"` : `the ${who.charAt(0).toUpperCase()}${who.slice(1).toLowerCase()}`;
}

export const WHO = role('who');
export const WHOM = role('whom');
