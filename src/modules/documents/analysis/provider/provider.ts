/** The kind of an analysis. */
export type AnalysisKind = 'summary' | 'risks';

export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** The documented perspectives; a model accepts any other value, the built-in provider treats it as neutral. */
export const PERSPECTIVES = [
  'neutral',
  'customer',
  'supplier',
  'employer',
  'employee',
  'landlord',
  'tenant',
  'licensor',
  'licensee',
] as const;

export const RISK_CATEGORIES = [
  'liability',
  'indemnity',
  'warranty',
  'renewal',
  'termination',
  'payment',
  'unilateral_change',
  'exclusivity',
  'non_compete',
  'intellectual_property',
  'assignment',
  'audit',
  'confidentiality',
  'data_protection',
  'governing_law',
  'jurisdiction',
  'embedded_instructions',
  'other',
] as const;
export type RiskCategory = (typeof RISK_CATEGORIES)[number];

export interface SummaryResult {
  summary: string;
  key_points: string[];
  parties: { name: string; role: string | null }[];
  /** Calendar days, `YYYY-MM-DD`. */
  key_dates: { on: string; label: string }[];
  /** In minor units of the currency. */
  amounts: { amount: number; currency: string; label: string }[];
  /** Limitations of the analysis, for example that the text was read in parts. */
  warnings: string[];
}

export interface Risk {
  id: string;
  title: string;
  category: RiskCategory;
  severity: Severity;
  explanation: string;
  /** Verbatim from the text; null if the risk is something missing, or if a model's quote is not in the text. */
  quote: string | null;
  /** True only if `quote` is the text from `location.start` up to `location.end`. */
  quote_verified: boolean;
  /** Offsets in UTF-16 units, as strings are indexed in JavaScript, Java and C#. */
  location: { start: number; end: number } | null;
  recommendation: string;
  /** 0 to 1. */
  confidence: number;
}

export interface RisksResult {
  /** The highest severity of the risks; null without risks. */
  overall_severity: Severity | null;
  /** Most severe first. */
  risks: Risk[];
  warnings: string[];
}

export interface AnalysisOptions {
  perspective: string;
  customFocus: string | null;
  signal: AbortSignal;
}

export interface AiProvider {
  readonly name: string;
  readonly model: string;
  analyse(kind: 'summary', text: string, options: AnalysisOptions): Promise<SummaryResult>;
  analyse(kind: 'risks', text: string, options: AnalysisOptions): Promise<RisksResult>;
  analyse(kind: AnalysisKind, text: string, options: AnalysisOptions): Promise<SummaryResult | RisksResult>;
}

/** A provider's failure. The message contains neither the key nor any of the text, so it may be logged and returned to the caller. */
export class AiFailure extends Error {
  constructor(
    readonly reason: 'held_back' | 'timeout' | 'aborted' | 'connection' | 'status' | 'invalid_response',
    message: string,
  ) {
    super(message);
    this.name = 'AiFailure';
  }
}

/** Sorts the most severe first; the sort is stable. */
export function ranked(risks: readonly Risk[], warnings: string[] = []): RisksResult {
  const sorted = [...risks].sort((a, b) => SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity));
  return {
    overall_severity: sorted[0]?.severity ?? null,
    risks: sorted.map((risk, index) => ({ ...risk, id: `r${index + 1}` })),
    warnings,
  };
}
