import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { isCalendarDay } from '../../../../kit/index.js';
import { QuotableText } from './quotes.js';
import {
  ranked,
  RISK_CATEGORIES,
  SEVERITIES,
  type AnalysisKind,
  type Risk,
  type RiskCategory,
  type RisksResult,
  type Severity,
  type SummaryResult,
} from '../provider/provider.js';

const text = (description: string) => ({ type: 'string', description });
const textOrNull = (description: string) => ({ type: ['string', 'null'], description });
const object = (properties: Record<string, object>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const list = (items: object) => ({ type: 'array', items });

/** The response schemas. They use only what strict mode supports: no bounds, all members required. */
export const RESPONSE_SCHEMAS: Record<AnalysisKind, object> = {
  summary: object({
    summary: text('Three to six plain sentences.'),
    key_points: list(text('One obligation, right, deadline or condition a reader must know.')),
    parties: list(
      object({ name: text('As written in the text.'), role: textOrNull('For example Customer; null if the text gives none.') }),
    ),
    key_dates: list(object({ on: text('YYYY-MM-DD.'), label: text('What happens then.') })),
    amounts: list(
      object({
        amount: { type: 'integer', description: 'In minor units: 12.50 is 1250.' },
        currency: text('ISO 4217 code.'),
        label: text('What it is for.'),
      }),
    ),
  }),
  risks: object({
    risks: list(
      object({
        title: text('A few words.'),
        category: { type: 'string', enum: [...RISK_CATEGORIES] },
        severity: { type: 'string', enum: [...SEVERITIES] },
        explanation: text('Why it is a risk for the reader.'),
        quote: textOrNull('The words of the text, copied exactly and at most 500 characters; null for something missing.'),
        recommendation: text('What to ask for.'),
        confidence: { type: 'number', description: '0 to 1.' },
      }),
    ),
  }),
};

interface RisksResponse {
  risks: {
    title: string;
    category: RiskCategory;
    severity: Severity;
    explanation: string;
    quote: string | null;
    recommendation: string;
    confidence: number;
  }[];
}

const ajv = new Ajv2020({ allErrors: false, allowUnionTypes: true });
const validators: Partial<Record<AnalysisKind, ValidateFunction>> = {};

/** The parsed response, or a description of its error that a model can act on. */
export function parseResponse(kind: AnalysisKind, content: string): { response: unknown } | { wrong: string } {
  let response: unknown;
  try {
    response = JSON.parse(content.trim().replace(/^```(?:json)?\s*|\s*```$/g, ''));
  } catch {
    return { wrong: 'The response is not JSON.' };
  }
  const valid = (validators[kind] ??= ajv.compile(RESPONSE_SCHEMAS[kind]));
  if (valid(response)) return { response };
  return { wrong: `The response does not match the schema: ${ajv.errorsText(valid.errors, { dataVar: 'response' })}.` };
}

export function summaryFrom(responses: readonly unknown[], warnings: string[]): SummaryResult {
  const parts = responses as Omit<SummaryResult, 'warnings'>[];
  return {
    summary: clipped(parts.map(({ summary }) => summary.trim()).join('\n\n'), 8_000),
    key_points: distinct(parts.flatMap(({ key_points }) => key_points).map((point) => clipped(point, 1_000))).slice(0, 50),
    parties: distinct(
      parts.flatMap(({ parties }) => parties).map(({ name, role }) => ({ name: clipped(name, 255), role: role && clipped(role, 255) })),
    ).slice(0, 20),
    key_dates: distinct(
      parts
        .flatMap(({ key_dates }) => key_dates)
        .filter(({ on }) => isCalendarDay(on))
        .map(({ on, label }) => ({ on, label: clipped(label, 255) })),
    ).slice(0, 50),
    amounts: distinct(
      parts
        .flatMap(({ amounts }) => amounts)
        .filter(({ amount, currency }) => Number.isSafeInteger(amount) && /^[A-Z]{3}$/.test(currency))
        .map(({ amount, currency, label }) => ({ amount, currency, label: clipped(label, 255) })),
    ).slice(0, 50),
    warnings,
  };
}

/** Keeps a quote only if the text contains it, so that an invented quote is never shown as part of the contract. */
export function risksFrom(responses: readonly unknown[], whole: string, warnings: string[]): RisksResult {
  const quotable = new QuotableText(whole);
  const risks = (responses as RisksResponse[])
    .flatMap(({ risks }) => risks.slice(0, 50))
    .map((risk): Risk => {
      const location = risk.quote === null ? null : quotable.locate(risk.quote);
      return {
        id: '',
        title: clipped(risk.title, 255),
        category: risk.category,
        severity: risk.severity,
        explanation: clipped(risk.explanation, 4_000),
        quote: location && whole.slice(location.start, location.end),
        quote_verified: location !== null,
        location,
        recommendation: clipped(risk.recommendation, 4_000),
        confidence: Math.min(1, Math.max(0, risk.confidence)),
      };
    });
  return ranked(
    risks.filter((risk, index) => risks.findIndex(({ title, quote }) => title === risk.title && quote === risk.quote) === index),
    warnings,
  );
}

function clipped(words: string, most: number): string {
  return words.length <= most ? words : `${words.slice(0, most - 1)}…`;
}

function distinct<T>(items: readonly T[]): T[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}
