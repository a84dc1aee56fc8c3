import { readContract } from '../text/contract-text.js';
import { COVENANT_RULES } from './covenant-rules.js';
import { LIABILITY_RULES } from './liability-rules.js';
import { MISSING_RULES } from './missing-rules.js';
import {
  ranked,
  SEVERITIES,
  type AiProvider,
  type AnalysisKind,
  type AnalysisOptions,
  type Risk,
  type RisksResult,
  type Severity,
  type SummaryResult,
} from '../provider/provider.js';
import type { Finding } from './risk-rules.js';
import { sideOfPerspective, type Side } from '../text/roles.js';
import { summarize } from './summarize.js';
import { TERM_RULES } from './term-rules.js';
import { termsOf } from './term-weights.js';

const RULES = [...LIABILITY_RULES, ...TERM_RULES, ...COVENANT_RULES, ...MISSING_RULES];

/**
 * Needs no model and no network: it picks sentences by the weight of their terms and finds risks by rules over clauses. The same
 * text always gives the same result. It is written for English; for German texts it supports dates, amounts, parties and the
 * core rules. Wordings of other jurisdictions or in an unusual style are left to a model.
 */
export class DeterministicProvider implements AiProvider {
  readonly name = 'deterministic';
  readonly model = 'rules-1';

  analyse(kind: 'summary', text: string, options: AnalysisOptions): Promise<SummaryResult>;
  analyse(kind: 'risks', text: string, options: AnalysisOptions): Promise<RisksResult>;
  analyse(kind: AnalysisKind, text: string, options: AnalysisOptions): Promise<SummaryResult | RisksResult>;
  async analyse(kind: AnalysisKind, text: string, { perspective, customFocus }: AnalysisOptions): Promise<SummaryResult | RisksResult> {
    return kind === 'summary' ? summarize(text, customFocus) : risksOf(text, perspective, customFocus);
  }
}

function risksOf(text: string, perspective: string, customFocus: string | null): RisksResult {
  const contract = readContract(text);
  const side = sideOfPerspective(perspective);
  const focus = new Set(termsOf(customFocus ?? ''));
  const focusRank = (risk: Risk) =>
    focus.size && termsOf(`${risk.title} ${risk.category.replaceAll('_', ' ')} ${risk.quote ?? ''}`).some((term) => focus.has(term))
      ? 0
      : 1;
  const findings = RULES.flatMap((rule) => rule(contract));
  // two rules that find the same category in the same sentence are one risk
  const risks = findings
    .filter(
      ({ sentence, category }, index) =>
        sentence === null || findings.findIndex((other) => other.sentence === sentence && other.category === category) === index,
    )
    .map((finding) => riskOf(finding, text, side));
  // among risks of equal severity, those in the requested focus come first
  return ranked(risks.sort((a, b) => focusRank(a) - focusRank(b) || b.confidence - a.confidence));
}

function riskOf({ sentence, severity, burdens, ...finding }: Finding, text: string, side: Side | null): Risk {
  return {
    id: '',
    title: finding.title,
    category: finding.category,
    severity: seenBy(side, burdens, severity),
    explanation: finding.explanation,
    quote: sentence && text.slice(sentence.start, sentence.end),
    quote_verified: sentence !== null,
    location: sentence && { start: sentence.start, end: sentence.end },
    recommendation: finding.recommendation,
    confidence: finding.confidence,
  };
}

/** More severe for the side that bears the risk, less for the side that benefits. */
function seenBy(side: Side | null, burdens: Side | null, severity: Severity): Severity {
  const shift = side === null || burdens === null ? 0 : side === burdens ? 1 : -2;
  return SEVERITIES[Math.min(SEVERITIES.length - 1, Math.max(0, SEVERITIES.indexOf(severity) + shift))];
}
