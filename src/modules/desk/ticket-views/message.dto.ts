import { Field, MAIL_STATUSES, DatedResourceDto, responseOf, type MailState, type MailStatus } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import type { ShownAttachment, TicketMessage } from '../model/message.entity.js';
import { AUTHOR_TYPES, MESSAGE_KINDS, type AuthorType, type MessageKind } from '../model/values.js';

/** Who wrote a message. */
export class MessageAuthorDto {
  @Field.oneOf(AUTHOR_TYPES, {
    summary: true,
    description: 'requester: the person who asks for help; system: the suite.',
    example: 'agent',
  })
  type: AuthorType;

  @Field.email({
    description: 'E-mail address, if known.',
    example: 'grace@example.com',
    nullable: true,
  })
  email: string | null;

  @Field.string({
    summary: true,
    description: 'Name, if known.',
    example: 'Grace Hopper',
    nullable: true,
  })
  name: string | null;
}

/** The delivery status of the mail with a message. */
export class MessageDeliveryDto {
  @Field.oneOf(MAIL_STATUSES, {
    description: 'held: no mail server is configured; suppressed: mail of test mode, which is never sent.',
    example: 'sent',
  })
  status: MailStatus;

  @Field.string({
    description: 'Why it failed.',
    example: null,
    nullable: true,
    maxLength: 10_000,
  })
  error: string | null;
}

/** A file that came with a message. */
export class MessageAttachmentDto {
  @Field.uuid({
    description: 'Id for get_ticket_attachment.',
    example: EXAMPLE.attachment,
  })
  id: string;

  @Field.string({
    description: 'File name, as the sender gave it.',
    example: 'log.txt',
  })
  file_name: string;

  @Field.string({
    description: 'Media type, as the sender gave it.',
    example: 'text/plain',
  })
  media_type: string;

  @Field.integer({
    description: 'Size in bytes.',
    example: 1204,
    minimum: 0,
  })
  size_bytes: number;
}

/** A message of a ticket. */
export class TicketMessageDto extends DatedResourceDto {
  @Field.constant('ticket_message')
  object: string;

  @Field.uuid({
    description: 'Project of the ticket.',
    example: EXAMPLE.project,
  })
  project_id: string;

  @Field.uuid({
    description: 'Ticket.',
    example: EXAMPLE.ticket,
  })
  ticket_id: string;

  @Field.oneOf(MESSAGE_KINDS, {
    summary: true,
    description: 'internal: a note for colleagues; system: written by the suite.',
    example: 'public',
  })
  kind: MessageKind;

  @Field.object(() => MessageAuthorDto, {
    summary: true,
    description: 'Who wrote it.',
    example: undefined,
  })
  author: MessageAuthorDto;

  @Field.string({
    summary: true,
    description: 'Text.',
    example: 'Please switch it off and on again.',
    maxLength: 100_000,
  })
  body: string;

  @Field.string({
    description: 'Sanitized HTML of a mail.',
    example: null,
    nullable: true,
    minLength: 0,
    maxLength: 1_000_000,
  })
  body_html: string | null;

  @Field.object(() => MessageDeliveryDto, {
    description: 'The mail with it; null if none was sent, and in events.',
    example: undefined,
    nullable: true,
  })
  delivery: MessageDeliveryDto | null;

  @Field.object(() => MessageAttachmentDto, {
    description: 'Files.',
    example: undefined,
    list: { maxItems: 100 },
  })
  attachments: MessageAttachmentDto[];

  @Field.uuid({
    description: 'The ticket it was written to, if that was merged.',
    example: null,
    nullable: true,
  })
  original_ticket_id: string | null;

  /** `attachments` are those of a row that was read; a written one needs them. */
  static from(
    this: void,
    message: TicketMessage,
    attachments: readonly ShownAttachment[] = message.attachments ?? [],
    mail: Pick<MailState, 'status' | 'error'> | null = null,
  ): TicketMessageDto {
    const { author_type, author_email, author_name } = message;
    return {
      ...responseOf(TicketMessageDto, message),
      author: { type: author_type, email: author_email, name: author_name },
      delivery: mail && { status: mail.status, error: mail.error },
      attachments: attachments.map(({ id: attachmentId, file_name, media_type, size_bytes }) => {
        return { id: attachmentId, file_name, media_type, size_bytes };
      }),
    };
  }
}
