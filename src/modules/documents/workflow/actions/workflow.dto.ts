import { Field } from '../../../../kit/index.js';

export const WORKFLOW_ACTIONS = ['APPROVE', 'REJECT', 'RETURN', 'TRANSITION'] as const;

/** The body of a workflow action. Validation accepts any text: an invalid action or address has error codes of its own. */
export class WorkflowActionDto {
  @Field.string({
    description: 'TRANSITION makes the move lifecycle_action.',
    example: 'APPROVE',
    values: WORKFLOW_ACTIONS,
    errorCode: 'invalid_action',
    minLength: 0,
    maxLength: 10_000,
  })
  action: string;

  @Field.string({
    description: 'Required to revoke, or by the type.',
    example: 'Fine with the new price.',
    maxLength: 4_000,
    required: false,
    nullable: true,
  })
  comments?: string | null;

  @Field.string({
    description: 'Required: the member who acts, approver of the step or, for TRANSITION, with papers.document.manage.',
    example: 'ada@example.com',
    inSamples: true,
    minLength: 0,
    maxLength: 10_000,
    required: false,
    nullable: true,
  })
  approver_email?: string | null;

  @Field.uuid({
    description: 'Of approval.pending. It or step is required if several steps ask the approver.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c30',
    required: false,
    nullable: true,
  })
  decision_id?: string | null;

  @Field.string({
    description: 'Instead of decision_id: its index or name.',
    example: '1',
    maxLength: 100,
    required: false,
    nullable: true,
  })
  step?: string | null;

  @Field.string({
    description: 'Such as finalize, send, revoke, recall or supersede. For TRANSITION, or if several match.',
    example: 'approve',
    maxLength: 63,
    required: false,
    nullable: true,
  })
  lifecycle_action?: string | null;

  @Field.uuid({
    description: 'To supersede: a final document of the type. Default: the newest replacement.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c21',
    required: false,
    nullable: true,
  })
  superseded_by_id?: string | null;

  @Field.map({
    description: 'To send: cc, subject, message, sender_name, sign_by, warn_days, remind_after_days, remind_every_days.',
    example: { sign_by: '2026-12-20' },
    maxProperties: 8,
    required: false,
    nullable: true,
  })
  sending?: Record<string, unknown> | null;
}

/** The body of a reminder. */
export class RemindDto {
  @Field.email({
    description: 'Only this person. Default: all asked.',
    example: 'ada@example.com',
    required: false,
    nullable: true,
  })
  email?: string | null;
}

/** Who was reminded. */
export class ReminderDto {
  @Field.constant('reminder')
  object: string;

  @Field.string({
    description: 'E-mail addresses of the approvers or parties that were mailed.',
    example: ['ada@example.com'],
    list: { maxItems: 1_000 },
  })
  reminded: string[];
}
