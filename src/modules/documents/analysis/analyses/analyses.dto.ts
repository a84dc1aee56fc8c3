import { Field, shownOf } from '../../../../kit/index.js';
import { DOCUMENT_NUMBER } from '../../model/records/document-number.js';
import type { Analysed } from './analyses.service.js';
import {
  PERSPECTIVES,
  RISK_CATEGORIES,
  SEVERITIES,
  type Risk,
  type RiskCategory,
  type RisksResult,
  type Severity,
  type SummaryResult,
} from '../provider/provider.js';

const PROJECT = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a10';
const DOCUMENT = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c20';
const DISCLAIMER = 'Generated automatically. It may be wrong or incomplete and is no legal advice; have a person review important points.';

/** The longest text that is accepted. */
export const LONGEST_TEXT = 200_000;

/** The request body of both analyses. */
export class AnalyseDto {
  @Field.uuid({
    description: 'Document id or number.',
    example: DOCUMENT,
    required: false,
    orKey: DOCUMENT_NUMBER,
  })
  document_id?: string;

  @Field.string({
    description: `Text instead of a document, up to ${LONGEST_TEXT.toLocaleString('en')} characters.`,
    example: 'The Customer shall indemnify the Supplier against all claims.',
    required: false,
    maxLength: 1_048_576,
  })
  raw_text?: string;

  @Field.uuid({
    description: 'Project of the document.',
    example: PROJECT,
    required: false,
  })
  project_id?: string;

  @Field.string({
    description: `Your side: ${PERSPECTIVES.join(', ')}.`,
    example: 'customer',
    required: false,
    default: 'neutral',
    maxLength: 64,
  })
  perspective?: string;

  @Field.string({
    description: 'Topics to focus on.',
    example: 'liability and termination',
    required: false,
    nullable: true,
    maxLength: 2_000,
  })
  custom_focus?: string | null;

  @Field.boolean({
    description: 'Analyze and charge again.',
    example: false,
    required: false,
    default: false,
  })
  force?: boolean;
}

export class AnalysedPartyDto {
  @Field.string({
    description: 'Name as written in the text.',
    example: 'Acme GmbH',
  })
  name: string;

  @Field.string({
    description: 'Role in the contract; null if the text names none.',
    example: 'Customer',
    nullable: true,
  })
  role: string | null;
}

export class AnalysedDateDto {
  @Field.date({
    description: 'The day.',
    example: '2029-02-28',
  })
  on: string;

  @Field.string({
    description: 'What happens on this date.',
    example: 'End',
  })
  label: string;
}

export class AnalysedAmountDto {
  @Field.integer({
    description: 'Amount in minor units of the currency.',
    example: 425_000,
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
  })
  amount: number;

  @Field.string({
    description: 'ISO 4217 code.',
    example: 'EUR',
    maxLength: 3,
  })
  currency: string;

  @Field.string({
    description: 'Purpose of the amount.',
    example: 'Fee per month',
  })
  label: string;
}

class CreditsDto {
  @Field.integer({
    description: 'Credits charged for this call; 0 for cached results and in test mode.',
    example: 1,
    minimum: 0,
  })
  charged: number;

  @Field.integer({
    description: 'Credits left in the organization.',
    example: 999,
    minimum: 0,
  })
  balance: number;

  @Field.integer({
    description: 'The credits that a live call would cost, in test mode and dry runs; else null.',
    example: null,
    minimum: 0,
    nullable: true,
  })
  would_charge: number | null;
}

abstract class AnalysisDto extends shownOf(AnalyseDto, { perspective: 'The perspective of the analysis.' }) {
  @Field.uuid({
    description: 'Id of the analysis.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2e40',
  })
  id: string;

  @Field.uuid({
    description: 'The analyzed document; null for raw_text.',
    example: DOCUMENT,
    nullable: true,
  })
  document_id: string | null;

  @Field.boolean({
    description: 'Whether this is a stored result, returned free of charge.',
    example: false,
  })
  cached: boolean;

  @Field.string({
    description: 'The provider: deterministic (built-in rules), openai_compatible (a model), or that of a module.',
    example: 'deterministic',
  })
  provider: string;

  @Field.string({
    description: 'The model.',
    example: 'rules-1',
  })
  model: string;

  @Field.object(() => CreditsDto, {
    description: 'Cost of the call.',
    example: undefined,
  })
  credits: CreditsDto;

  @Field.string({
    description: 'Limitations, for example that the text was read in parts, or not at all in a dry run.',
    example: [],
    list: { maxItems: 10, repeats: true },
    maxLength: 1_000,
  })
  warnings: string[];

  @Field.dateTime({
    description: 'When the analysis was made, UTC.',
    example: '2026-11-21T09:30:00.000Z',
  })
  created_at: string;

  @Field.string({
    description: 'Notice about the limits of an automatic analysis.',
    example: DISCLAIMER,
    maxLength: 1_000,
  })
  disclaimer: string;
}

/** A summary. */
export class AiSummaryDto extends AnalysisDto {
  @Field.constant('ai_summary')
  object: string;

  @Field.string({
    description: 'A few sentences.',
    example: 'Services agreement between Acme GmbH (Customer) and Harrow Ltd. (Supplier).',
    minLength: 0,
    maxLength: 10_000,
  })
  summary: string;

  @Field.string({
    description: 'The most important points.',
    example: ['Term: until 28 February 2029.'],
    list: { maxItems: 100, repeats: true },
    maxLength: 2_000,
  })
  key_points: string[];

  @Field.object(() => AnalysedPartyDto, {
    description: 'Parties to the contract.',
    example: undefined,
    list: { maxItems: 20, repeats: true },
  })
  parties: AnalysedPartyDto[];

  @Field.object(() => AnalysedDateDto, {
    description: 'Important dates.',
    example: undefined,
    list: { maxItems: 50, repeats: true },
  })
  key_dates: AnalysedDateDto[];

  @Field.object(() => AnalysedAmountDto, {
    description: 'Amounts of money.',
    example: undefined,
    list: { maxItems: 50, repeats: true },
  })
  amounts: AnalysedAmountDto[];

  static from(analysed: Analysed, documentId: string | null): AiSummaryDto {
    return { ...headOf(analysed, documentId), object: 'ai_summary', ...(analysed.analysis.result as SummaryResult) };
  }
}

class RiskLocationDto {
  @Field.integer({
    description: 'Offset of its first character in the text, in UTF-16 units.',
    example: 1_204,
    minimum: 0,
  })
  start: number;

  @Field.integer({
    description: 'Offset after its last character.',
    example: 1_263,
    minimum: 0,
  })
  end: number;
}

class RiskDto {
  @Field.string({
    description: 'Id of the risk within the response.',
    example: 'r1',
  })
  id: string;

  @Field.string({
    description: 'Short name of the risk.',
    example: 'One-sided indemnity',
  })
  title: string;

  @Field.oneOf(RISK_CATEGORIES, {
    description: 'Category of the risk.',
    example: 'indemnity',
  })
  category: RiskCategory;

  @Field.oneOf(SEVERITIES, {
    description: 'Severity for the chosen perspective.',
    example: 'high',
  })
  severity: Severity;

  @Field.string({
    description: 'Why it is a risk.',
    example: 'Clause 5.3 obliges the Customer to indemnify the Supplier, and nothing obliges the other side to do the same.',
    maxLength: 4_000,
  })
  explanation: string;

  @Field.string({
    description: "Verbatim quote from the text; null for something missing, or if a model's quote is not in the text.",
    example: 'The Customer shall indemnify the Supplier',
    nullable: true,
    maxLength: 10_000,
  })
  quote: string | null;

  @Field.boolean({
    description: 'Whether quote was found in the text, at location.',
    example: true,
  })
  quote_verified: boolean;

  @Field.object(() => RiskLocationDto, {
    description: 'Position of the quote; null without a quote.',
    example: undefined,
    nullable: true,
  })
  location: RiskLocationDto | null;

  @Field.string({
    description: 'Recommended action.',
    example: 'Make the indemnity mutual.',
    maxLength: 4_000,
  })
  recommendation: string;

  @Field.number({
    description: 'Confidence, 0 to 1.',
    example: 0.8,
    minimum: 0,
    maximum: 1,
  })
  confidence: number;
}

/** The risks of a text. */
export class AiRisksDto extends AnalysisDto {
  @Field.constant('ai_risks')
  object: string;

  @Field.oneOf(SEVERITIES, {
    description: 'The highest severity of the risks; null without risks.',
    example: 'high',
    nullable: true,
  })
  overall_severity: Severity | null;

  @Field.object(() => RiskDto, {
    description: 'The risks, most severe first.',
    example: undefined,
    list: { maxItems: 200, repeats: true },
  })
  risks: Risk[];

  static from(analysed: Analysed, documentId: string | null): AiRisksDto {
    return { ...headOf(analysed, documentId), object: 'ai_risks', ...(analysed.analysis.result as RisksResult) };
  }
}

function headOf({ analysis, cached, charged, balance, wouldCharge }: Analysed, document_id: string | null) {
  const { id, perspective, provider, model, analysed_at } = analysis;
  return {
    id,
    document_id,
    perspective,
    cached,
    provider,
    model,
    credits: { charged, balance, would_charge: wouldCharge },
    created_at: analysed_at.toISOString(),
    disclaimer: DISCLAIMER,
  };
}
