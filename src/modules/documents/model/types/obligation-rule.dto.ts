import { Field } from '../../../../kit/index.js';

export const OBLIGATION_KINDS = ['payment', 'delivery', 'renewal', 'notice', 'report', 'other'] as const;
export const SIDES = ['us', 'counterparty'] as const;

/** An obligation to create when a document of the type comes into force. */
export class ObligationRuleDto {
  @Field.string({
    description: 'Title; {{field}} is replaced by a value.',
    example: 'Yearly fee for {{customer_name}}',
  })
  title: string;

  @Field.oneOf(OBLIGATION_KINDS, {
    description: 'What must be done or paid.',
    example: 'payment',
  })
  kind: (typeof OBLIGATION_KINDS)[number];

  @Field.oneOf(SIDES, {
    description: 'The side that must fulfill it.',
    example: 'counterparty',
  })
  side: (typeof SIDES)[number];

  @Field.string({
    description: 'Path into data_values of the due date; without it, due_after_days counts from the day the document comes into force.',
    example: 'starts_on',
    maxLength: 200,
    required: false,
    nullable: true,
  })
  due_on_from?: string | null;

  @Field.integer({
    description: 'Days from the day the document comes into force (or from due_on_from) to the due date.',
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
    description: 'Path into data_values of the name of the responsible person.',
    example: 'customer_name',
    maxLength: 200,
    required: false,
    nullable: true,
  })
  name_from?: string | null;

  @Field.string({
    description: 'Path into data_values of their e-mail address.',
    example: 'customer_email',
    maxLength: 200,
    required: false,
    nullable: true,
  })
  email_from?: string | null;

  @Field.integer({
    description: 'Days before the due date on which a reminder is mailed.',
    example: [30, 7],
    minimum: 0,
    maximum: 365,
    required: false,
    default: [],
    list: { maxItems: 10 },
  })
  reminder_days: number[];
}
