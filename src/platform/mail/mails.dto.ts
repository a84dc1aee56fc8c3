import { Field, Filter, Listing, ListQuery, MAIL_STATUSES, ResourceDto, responseOf, type Ctx } from '../../kit/index.js';
import type { MailRow } from './mail.entity.js';

export const VIEW_MAILS = 'org.developer.mail.view';

/** A file of a mail. */
export class MailFileDto {
  @Field.string({
    description: 'Its name.',
    example: 'summary.pdf',
  })
  file_name: string;

  @Field.string({
    description: 'Its media type.',
    example: 'application/pdf',
  })
  media_type: string;

  @Field.integer({
    description: 'Its size in bytes.',
    example: 48_213,
    minimum: 0,
  })
  size_bytes: number;
}

/** A mail of the suite, sent or not. */
export class MailDto extends ResourceDto {
  @Field.constant('mail')
  object: string;

  @Field.oneOf(['live', 'test'], {
    description: 'Data plane; mail in test mode is never sent.',
    example: 'live',
  })
  mode: string;

  @Field.string({
    description: 'Address of the recipient, if the text is shown.',
    example: 'ada@example.com',
    nullable: true,
    maxLength: 320,
  })
  recipient: string | null;

  @Field.string({
    description: 'The addresses in its header Cc, if the text is shown; each of them gets a separate mail.',
    example: ['grace@example.com'],
    list: { maxItems: 100 },
    maxLength: 320,
  })
  cc: string[];

  @Field.object(() => MailFileDto, {
    description: 'Its files, if the text is shown.',
    example: undefined,
    list: { maxItems: 100 },
  })
  files: MailFileDto[];

  @Field.string({
    description: 'The subject line, if the text is shown.',
    example: 'Invitation: Kick-off',
    nullable: true,
    maxLength: 1000,
    minLength: 0,
  })
  subject: string | null;

  @Field.boolean({
    description:
      'Whether it contains a link or a code with which its recipient acts in their own name. Its content is shown only while ' +
      'no mail server is set, and in the test mode.',
    example: false,
  })
  confidential: boolean;

  @Field.string({
    description: 'The permission that your role lacks to read the content; null if you may read it.',
    example: null,
    nullable: true,
  })
  required_permission: string | null;

  @Field.string({
    description:
      'The text; null without the required permission, for a mail about what is private to another member, and for a confidential ' +
      'mail that was sent, is being sent or failed.',
    example: 'You are invited.',
    nullable: true,
    maxLength: 1_000_000,
    minLength: 0,
  })
  text: string | null;

  @Field.string({
    description: 'The text as HTML, if there is one and the text is shown.',
    example: null,
    nullable: true,
    maxLength: 1_000_000,
    minLength: 0,
  })
  html: string | null;

  @Field.string({
    description: 'The attached iCalendar object, if there is one and the text is shown.',
    example: null,
    nullable: true,
    maxLength: 1_000_000,
  })
  calendar: string | null;

  @Field.string({
    description: 'The address that replies go to, if the text is shown; null: the sender of every mail.',
    example: null,
    nullable: true,
    maxLength: 320,
  })
  reply_to: string | null;

  @Field.oneOf(MAIL_STATUSES, {
    description:
      'held: no mail server is configured; suppressed: mail in test mode; failed: the server rejected the recipient or the mail ' +
      'permanently, or did not accept it within five days.',
    example: 'sent',
  })
  status: string;

  @Field.string({
    description: 'Why the last attempt failed.',
    example: null,
    nullable: true,
    maxLength: 500,
  })
  error: string | null;

  @Field.dateTime({
    description: 'When the mail server accepted it, UTC.',
    example: '2026-11-21T09:30:00.000Z',
    nullable: true,
  })
  sent_at: string | null;

  @Field.boolean({
    description: 'Whether resend_mail sends it: it failed or was held, and its content is still stored.',
    example: false,
  })
  can_resend: boolean;

  static from(this: void, row: MailRow, { permissions, memberId }: Ctx): MailDto {
    const { recipient, subject, confidential, reply_to, status, error } = row;
    // to send a mail again does not need the permission to read it
    const required = [VIEW_MAILS, row.permission].find((permission) => permission !== null && !permissions.has(permission)) ?? null;
    const isOwn = row.only_reader_id === null || row.only_reader_id === memberId;
    // a mail that is never sent can be read only here
    const isShown = required === null && isOwn && (!confidential || status === 'held' || status === 'suppressed');
    return {
      ...responseOf(MailDto, row),
      recipient: isShown ? recipient : null,
      cc: (isShown && row.cc) || [],
      files: ((isShown && row.files) || []).map(({ file_name, media_type, size_bytes }) => ({ file_name, media_type, size_bytes })),
      subject: isShown ? subject : null,
      required_permission: required,
      text: isShown ? row.text : null,
      html: isShown ? row.html : null,
      calendar: isShown ? row.calendar : null,
      reply_to: isShown ? reply_to : null,
      error: isShown ? error : withoutAddresses(error),
      can_resend: canResend(row),
    };
  }
}

/** The content of a confidential mail is erased once a server rejected it permanently. */
export function canResend({ status, confidential, text }: MailRow): boolean {
  return (status === 'failed' || status === 'held') && !(confidential && text === '');
}

/** Mail servers repeat the recipient's address in their responses. */
function withoutAddresses(error: string | null): string | null {
  return error?.replace(/[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/g, '...') ?? null;
}

@Listing({
  sort: ['created_at'],
  defaultSort: '-created_at',
  isEndless: true,
})
export class MailsQuery extends ListQuery {
  @Filter.oneOf(MAIL_STATUSES, {
    description: 'Only mails of this status.',
    example: 'failed',
  })
  status?: string[];

  @Filter.oneOf(['live', 'test'], {
    description: 'Only mails of this data plane.',
    example: 'test',
  })
  mode?: string[];

  @Filter.string({
    description: 'Only mails to this address, of those that you may read or that are confidential only.',
    example: 'ada@example.com',
  })
  recipient?: string[];
}

/** Which mails to send again. */
export class ResendMailsDto {
  @Field.dateTime({
    description: 'Only mails written at or after this time; all that are kept unless given.',
    example: '2026-11-20T00:00:00Z',
    required: false,
  })
  since?: string;

  @Field.boolean({
    description: 'Only count the mails.',
    example: true,
    required: false,
    default: false,
  })
  dry_run?: boolean;
}

/** How many mails are sent again. */
export class ResentMailsDto {
  @Field.constant('resend')
  object: string;

  @Field.boolean({
    description: 'Whether the mails were only counted.',
    example: false,
  })
  dry_run: boolean;

  @Field.integer({
    description: 'Number of mails that were queued again, or would be.',
    example: 12,
    minimum: 0,
  })
  count: number;
}
