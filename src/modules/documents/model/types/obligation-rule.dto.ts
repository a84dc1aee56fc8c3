import { Field } from '../../../../kit/index.js';

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
