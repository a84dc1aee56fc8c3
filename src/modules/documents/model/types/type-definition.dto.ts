import { Field } from '../../../../kit/index.js';
import { DOCUMENT_STATES, TRIGGERS, type DocumentState, type Trigger } from '../document-states.js';
import type { FieldSchema } from '../field-schema.js';

const CODE = '^[a-z][a-z0-9_]{0,62}$';

export const STEP_MODES = ['any', 'all', 'quorum'] as const;
export type StepMode = (typeof STEP_MODES)[number];
export const APPROVER_KINDS = ['user', 'role', 'manager'] as const;
export const OPERATORS = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'contains', 'exists'] as const;
export type Operator = (typeof OPERATORS)[number];

/** Whom a step asks. */
export class ApproverDto {
  @Field.oneOf(APPROVER_KINDS, {
    description: 'user: one member; role: every active member of a role; manager: the manager of who submitted the document.',
    example: 'role',
  })
  kind: (typeof APPROVER_KINDS)[number];

  @Field.string({
    description: "user: the member's id or e-mail address; role: the role's name; left out for manager.",
    example: 'admin',
    required: false,
    nullable: true,
  })
  ref?: string | null;
}

/** A test of one value of the document. */
export class FieldConditionDto {
  @Field.string({
    description: 'Path into data_values.',
    example: 'amount',
    maxLength: 200,
  })
  field: string;

  @Field.oneOf(OPERATORS, { description: 'How the value is compared; exists takes true or false.', example: 'gte' })
  op: Operator;

  @Field.map({ description: 'What it is compared with, as {"value": ...}; for in a list.', example: { value: 1_000_000 } })
  operand: { value?: unknown };
}

/** One step of an approval route. */
export class ApprovalStepDto {
  @Field.string({
    description: 'Name of the step.',
    example: 'Legal',
    maxLength: 100,
  })
  name: string;

  @Field.oneOf(STEP_MODES, {
    description: 'any: one approval suffices; all: everyone must approve; quorum: as many as quorum says.',
    example: 'any',
  })
  mode: StepMode;

  @Field.integer({
    description: 'For mode quorum: approvals needed.',
    example: 2,
    minimum: 1,
    maximum: 100,
    required: false,
    nullable: true,
  })
  quorum?: number | null;

  @Field.object(() => ApproverDto, {
    description: 'Who decides.',
    example: undefined,
    list: { maxItems: 50, repeats: true },
  })
  approvers: ApproverDto[];

  @Field.object(() => FieldConditionDto, {
    description: 'The step is left out unless this holds.',
    example: undefined,
    required: false,
    nullable: true,
  })
  condition?: FieldConditionDto | null;

  @Field.integer({
    description: 'Hours after which the decision is overdue.',
    example: 48,
    minimum: 1,
    maximum: 8760,
    required: false,
    nullable: true,
  })
  due_in_hours?: number | null;

  @Field.object(() => ApproverDto, {
    description: 'Who decides instead of those who are overdue.',
    example: undefined,
    required: false,
    nullable: true,
  })
  escalate_to?: ApproverDto | null;
}

export class ApprovalRouteDto {
  @Field.object(() => ApprovalStepDto, {
    description: 'The steps, one after the other.',
    example: undefined,
    list: { maxItems: 20, repeats: true },
  })
  steps: ApprovalStepDto[];
}

/** A label of the type's own for a state. */
export class LifecycleStageDto {
  @Field.string({
    description: 'Code of the stage.',
    example: 'legal_review',
    pattern: CODE,
    maxLength: 63,
  })
  code: string;

  @Field.string({
    description: 'What people read.',
    example: 'Legal review',
    maxLength: 100,
  })
  label: string;

  @Field.oneOf(DOCUMENT_STATES, { description: 'The state it stands for.', example: 'in_approval' })
  state: DocumentState;
}

/** A move between stages. */
export class LifecycleTransitionDto {
  @Field.string({
    description: 'Code, as lifecycle_action names it.',
    example: 'approve',
    pattern: CODE,
    maxLength: 63,
  })
  code: string;

  @Field.string({
    description: 'What people read.',
    example: 'Approve',
    maxLength: 100,
  })
  label: string;

  @Field.string({
    description: 'Codes of the stages it leaves.',
    example: ['legal_review'],
    maxLength: 63,
    list: { minItems: 1, maxItems: 50 },
  })
  from: string[];

  @Field.string({
    description: 'Code of the stage it leads to.',
    example: 'approved',
    maxLength: 63,
  })
  to: string;

  @Field.oneOf(TRIGGERS, { description: 'What runs it.', example: 'approve' })
  trigger: Trigger;

  @Field.string({
    description: 'Member roles that may run it; everyone when empty.',
    example: ['admin'],
    required: false,
    default: [],
    list: { maxItems: 20 },
  })
  roles: string[];
}

export class LifecycleDto {
  @Field.object(() => LifecycleStageDto, {
    description: 'The stages; one at least stands for draft.',
    example: undefined,
    list: { minItems: 1, maxItems: 50, repeats: true },
  })
  stages: LifecycleStageDto[];

  @Field.object(() => LifecycleTransitionDto, {
    description: 'The moves between them; each must be one of the state table.',
    example: undefined,
    list: { maxItems: 200, repeats: true },
  })
  transitions: LifecycleTransitionDto[];
}

export const RESETS = ['never', 'year', 'month'] as const;
export const ASSIGNED_AT = ['create', 'finalize'] as const;

export class NumberingDto {
  @Field.string({
    description: 'Text with the tokens {TYPE} {PROJECT} {YYYY} {MM} {SEQ:5}; {SEQ:n} must stand in it once.',
    example: 'AGR-{YYYY}-{SEQ:5}',
    maxLength: 100,
  })
  pattern: string;

  @Field.oneOf(RESETS, {
    description: 'When the sequence begins anew.',
    example: 'year',
    required: false,
    default: 'never',
  })
  reset: (typeof RESETS)[number];

  @Field.oneOf(ASSIGNED_AT, {
    description: 'When a document gets its number; gapless numbers are given at finalize.',
    example: 'create',
    required: false,
    default: 'create',
  })
  assign_at: (typeof ASSIGNED_AT)[number];

  @Field.boolean({
    description: 'Without gaps, for where the law wants that; documents then are finalized one after the other.',
    example: false,
    required: false,
    default: false,
  })
  gapless: boolean;
}

/** Somebody who signs. */
export class SignaturePartyDto {
  @Field.string({
    description: 'Key, unique within the type.',
    example: 'customer',
    pattern: CODE,
    maxLength: 63,
  })
  key: string;

  @Field.string({
    description: 'What people read.',
    example: 'Customer',
    maxLength: 100,
  })
  label: string;

  @Field.integer({
    description: 'Turn: parties of the same order sign at the same time, higher ones after them.',
    example: 1,
    minimum: 1,
    maximum: 100,
    required: false,
    default: 1,
  })
  order: number;

  @Field.oneOf(['internal', 'external'], {
    description: 'Whether one of us or somebody else.',
    example: 'external',
    required: false,
    default: 'external',
  })
  kind: 'internal' | 'external';

  @Field.string({
    description: 'Path into data_values that holds the name.',
    example: 'customer_name',
    maxLength: 200,
  })
  name_from: string;

  @Field.string({
    description: 'Path into data_values that holds the e-mail address.',
    example: 'customer_email',
    maxLength: 200,
  })
  email_from: string;

  @Field.boolean({
    description: 'Whether the document waits for this signature.',
    example: true,
    required: false,
    default: true,
  })
  required: boolean;

  @Field.oneOf(['link', 'otp'], {
    description: 'link: the mailed link suffices; otp: a code sent by a second mail too.',
    example: 'link',
    required: false,
    default: 'link',
  })
  auth: 'link' | 'otp';
}

export const OBLIGATION_KINDS = ['payment', 'delivery', 'renewal', 'notice', 'report', 'other'] as const;
export const SIDES = ['us', 'counterparty'] as const;

/** What arises when a document of the type comes into force. */
export class ObligationRuleDto {
  @Field.string({ description: 'Title; {{field}} stands for a value.', example: 'Yearly fee for {{customer_name}}' })
  title: string;

  @Field.oneOf(OBLIGATION_KINDS, { description: 'What is owed.', example: 'payment' })
  kind: (typeof OBLIGATION_KINDS)[number];

  @Field.oneOf(SIDES, { description: 'Who owes it.', example: 'counterparty' })
  side: (typeof SIDES)[number];

  @Field.string({
    description: 'Path into data_values that holds the day it is due; else due_after_days counts from when the document came into force.',
    example: 'starts_on',
    maxLength: 200,
    required: false,
    nullable: true,
  })
  due_on_from?: string | null;

  @Field.integer({
    description: 'Days after the document came into force (or after due_on_from) that it is due.',
    example: 30,
    minimum: -3650,
    maximum: 36500,
    required: false,
    default: 0,
  })
  due_after_days: number;

  @Field.string({
    description: 'RRULE with FREQ, INTERVAL, COUNT, UNTIL.',
    example: 'FREQ=YEARLY;COUNT=3',
    required: false,
    nullable: true,
  })
  recurrence?: string | null;

  @Field.string({
    description: 'Path into data_values that holds the name of who is responsible.',
    example: 'customer_name',
    maxLength: 200,
    required: false,
    nullable: true,
  })
  name_from?: string | null;

  @Field.string({
    description: 'Path into data_values that holds their e-mail address.',
    example: 'customer_email',
    maxLength: 200,
    required: false,
    nullable: true,
  })
  email_from?: string | null;

  @Field.integer({
    description: 'Days before it is due on which a reminder is mailed.',
    example: [30, 7],
    minimum: 0,
    maximum: 365,
    required: false,
    default: [],
    list: { maxItems: 10 },
  })
  reminder_days: number[];
}

export const AUTO_RUNS = ['summary', 'risks'] as const;

/** All that a type decides for its documents. Published versions of it never change. */
export class TypeDefinitionDto {
  @Field.map({
    description:
      'JSON Schema 2020-12 of data_values: one object with scalar properties and arrays of flat objects; x-label, x-order, x-format (money, phone, party, user).',
    example: { type: 'object', properties: { customer_name: { type: 'string', 'x-label': 'Customer' } }, required: ['customer_name'] },
  })
  field_schema: FieldSchema;

  @Field.boolean({
    description: 'Whether documents must be approved; then no API call finalizes them.',
    example: true,
    required: false,
    default: false,
  })
  requires_approval: boolean;

  @Field.boolean({
    description: 'Whether the last approval finalizes the document.',
    example: false,
    required: false,
    default: false,
  })
  finalize_on_approval: boolean;

  @Field.boolean({
    description: 'Whether who submitted a document may approve it.',
    example: false,
    required: false,
    default: false,
  })
  allow_self_approval: boolean;

  @Field.boolean({
    description: 'Whether a decision needs a comment.',
    example: false,
    required: false,
    default: false,
  })
  require_decision_comment: boolean;

  @Field.object(() => ApprovalRouteDto, {
    description: 'Who approves; null or without a step: every member who may approve documents.',
    example: undefined,
    required: false,
    nullable: true,
  })
  approval_route: ApprovalRouteDto | null;

  @Field.object(() => LifecycleDto, {
    description: "Stages and transitions of the type's own; null for the standard ones, named like the states.",
    example: undefined,
    required: false,
    nullable: true,
  })
  lifecycle: LifecycleDto | null;

  @Field.object(() => NumberingDto, {
    description: 'How documents are numbered; null for {TYPE}-{SEQ:5}.',
    example: undefined,
    required: false,
    nullable: true,
  })
  numbering: NumberingDto | null;

  @Field.object(() => SignaturePartyDto, {
    description: 'Who signs.',
    example: undefined,
    required: false,
    default: [],
    list: { maxItems: 20, repeats: true },
  })
  signature_parties: SignaturePartyDto[];

  @Field.integer({
    description: 'Days after sending within which all must sign; null for no deadline.',
    example: 14,
    minimum: 1,
    maximum: 365,
    required: false,
    nullable: true,
  })
  signing_days: number | null;

  @Field.object(() => ObligationRuleDto, {
    description: 'Obligations that arise when a document comes into force.',
    example: undefined,
    required: false,
    default: [],
    list: { maxItems: 50, repeats: true },
  })
  obligation_rules: ObligationRuleDto[];

  @Field.oneOf(AUTO_RUNS, {
    description: 'Analyses that run by themselves when a document is submitted.',
    example: ['risks'],
    required: false,
    default: [],
    list: { maxItems: 2 },
  })
  ai_auto_run: (typeof AUTO_RUNS)[number][];

  @Field.integer({
    description: 'Months after execution that a document is valid; null for ever.',
    example: 12,
    minimum: 1,
    maximum: 1200,
    required: false,
    nullable: true,
  })
  validity_months: number | null;

  @Field.string({
    description: 'Markdown with tokens such as {{customer_name}}; null for a plain layout of all values.',
    example: '# Agreement\n\nbetween us and {{customer_name}}',
    maxLength: 200_000,
    required: false,
    nullable: true,
  })
  template: string | null;
}
