import { Field } from '../../../../kit/index.js';

export const STEP_MODES = ['any', 'all', 'quorum'] as const;
export type StepMode = (typeof STEP_MODES)[number];
export const APPROVER_KINDS = ['user', 'role', 'manager'] as const;
export const OPERATORS = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'contains', 'exists'] as const;
/** How the operand of a condition looks. */
export const OPERAND = '{"value": ...}';
export type Operator = (typeof OPERATORS)[number];

/** An approver of a step. */
export class ApproverDto {
  @Field.oneOf(APPROVER_KINDS, {
    description: 'user: one member; role: every active member of a role; manager: the manager of the submitter.',
    example: 'role',
  })
  kind: (typeof APPROVER_KINDS)[number];

  @Field.string({
    description: "user: the member's id or e-mail address; role: the role's name; omit for manager. They must be permitted to approve.",
    example: 'admin',
    required: false,
    nullable: true,
  })
  ref?: string | null;
}

/** A condition on one value of the document. */
export class FieldConditionDto {
  @Field.string({
    description: 'Path into data_values.',
    example: 'amount',
    maxLength: 200,
  })
  field: string;

  @Field.oneOf(OPERATORS, {
    description: 'How the value is compared; exists takes true or false.',
    example: 'gte',
  })
  op: Operator;

  @Field.map({
    description: `The value to compare with, as ${OPERAND}; a list for in.`,
    example: { value: 1_000_000 },
    looksLike: OPERAND,
  })
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
    description: 'any: one approval is enough; all: every approver must approve; quorum: `quorum` approvals are needed.',
    example: 'any',
  })
  mode: StepMode;

  @Field.integer({
    description: 'For mode quorum: approvals needed, each by another member.',
    example: null,
    minimum: 1,
    maximum: 100,
    required: false,
    nullable: true,
  })
  quorum?: number | null;

  @Field.object(() => ApproverDto, {
    description: 'The approvers.',
    example: undefined,
    list: { maxItems: 50, repeats: true },
  })
  approvers: ApproverDto[];

  @Field.object(() => FieldConditionDto, {
    description: 'The step is skipped unless this holds.',
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
    description: 'Members who decide instead of overdue approvers, and when a step has too few approvers without the submitter.',
    example: undefined,
    required: false,
    nullable: true,
  })
  escalate_to?: ApproverDto | null;
}

export class ApprovalRouteDto {
  @Field.object(() => ApprovalStepDto, {
    description: 'The steps, in order.',
    example: undefined,
    list: { maxItems: 20, repeats: true },
  })
  steps: ApprovalStepDto[];
}
