import { Field, readFields, validationError, type ErrorDetail } from '../../../../kit/index.js';
import { COPY_TIMES, type CopyTime } from '../core/copy-times.js';

/** A person who gets a copy without signing. */
export class CopyRecipientDto {
  @Field.string({
    description: 'Name.',
    example: 'Alan Turing',
    maxLength: 200,
  })
  name: string;

  @Field.email({
    description: 'E-mail address.',
    example: 'alan@example.com',
  })
  email: string;

  @Field.oneOf(COPY_TIMES, {
    description: 'sent: a link to read when the parties are asked, and the signed PDF; completed: only the signed PDF.',
    example: 'completed',
    required: false,
    default: 'completed',
  })
  when?: CopyTime;
}

/** How documents of a type are sent to their parties. What is left out is as the settings of the organization say. */
export class StandardSendingDto {
  @Field.object(() => CopyRecipientDto, {
    description: 'Who gets a copy without signing.',
    example: [{ name: 'Alan Turing', email: 'alan@example.com', when: 'completed' }],
    required: false,
    list: { maxItems: 20, repeats: true },
  })
  cc?: CopyRecipientDto[];

  @Field.string({
    description: 'Subject of the mail that asks to sign.',
    example: 'Your lease, ready to sign',
    maxLength: 200,
    required: false,
    nullable: true,
  })
  subject?: string | null;

  @Field.string({
    description: 'Personal message in the mails that ask to sign, as plain text.',
    example: 'Thank you for the good conversation yesterday.',
    maxLength: 2_000,
    required: false,
    nullable: true,
  })
  message?: string | null;

  @Field.string({
    description:
      'Name of the sender in these mails, before that of the organization; replies then go to the member who sends it. The address ' +
      "is always the suite's.",
    example: 'Grace Hopper',
    maxLength: 100,
    required: false,
    nullable: true,
  })
  sender_name?: string | null;

  @Field.integer({
    description: 'Days before the deadline on which the parties that have not signed and the sender are warned once.',
    example: 2,
    minimum: 1,
    maximum: 30,
    required: false,
    nullable: true,
  })
  warn_days?: number | null;

  @Field.integer({
    description: "Days from the invitation to the first automatic reminder; instead of the organization's reminder_days.",
    example: 5,
    minimum: 1,
    maximum: 90,
    required: false,
    nullable: true,
  })
  remind_after_days?: number | null;

  @Field.integer({
    description: 'Days between further reminders; remind_after_days if left out.',
    example: 2,
    minimum: 1,
    maximum: 90,
    required: false,
    nullable: true,
  })
  remind_every_days?: number | null;
}

/** How the document is sent to its parties. What is left out is as the type and the settings of the organization say. */
export class SendingDto extends StandardSendingDto {
  @Field.date({
    description: "Last day to sign, in the project's time zone; instead of the type's signing_days.",
    example: '2026-12-20',
    required: false,
    nullable: true,
  })
  sign_by?: string | null;
}

/** A body with the field `sending`; errors name the path within it. */
export class SendingHolder {
  @Field.object(() => SendingDto, {
    description: 'What differs from how the document says it is sent.',
    example: { message: 'Thank you for the good conversation yesterday.', sign_by: '2026-12-20' },
    required: false,
    nullable: true,
  })
  sending?: SendingDto | null;
}

/** Checks what a caller sent as a map. `within`: the path of the object that has the field `sending`, with a dot, for errors. */
export function readSending(sending: Record<string, unknown> | null | undefined, within = ''): SendingDto | null | undefined {
  if (!sending) return sending;
  const { value, faults, ignored } = readFields(SendingHolder, { sending });
  for (const name of ignored) faults.push({ param: name, code: 'invalid_value', message: `${name} is not a field of sending` });
  if (faults.length > 0) throw validationError(faults.map((fault) => faultWithin(within, fault)));
  return value.sending;
}

/** Messages begin with the path, too. */
function faultWithin(within: string, { param, message, ...rest }: ErrorDetail): ErrorDetail {
  return { ...rest, param: `${within}${param}`, message: `${within}${message}` };
}
