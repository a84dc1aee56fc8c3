import { Field, Filter, Listing, ListQuery } from '../../../kit/index.js';
import { MOST_FILES } from '../attachments/message-files.js';
import { EXAMPLE } from '../model/example-ids.js';
import { MESSAGE_KINDS, type MessageKind } from '../model/values.js';
import { TICKET_NUMBER } from '../model/ticket-number.js';

/** The files of a message that were uploaded before. */
export class AttachmentIdsDto {
  @Field.uuid({
    description: 'Files, from upload_ticket_attachment; each is used once.',
    example: [EXAMPLE.attachment],
    list: { maxItems: MOST_FILES },
    default: [],
    required: false,
  })
  attachment_ids?: string[];
}

export class ReplyToTicketDto extends AttachmentIdsDto {
  @Field.string({
    description: 'Text; this or canned_response_id.',
    example: 'Please switch it off and on.',
    maxLength: 100_000,
    required: false,
  })
  body?: string;

  @Field.uuid({
    description: 'Canned response to send, from list_canned_responses.',
    example: EXAMPLE.cannedResponse,
    required: false,
  })
  canned_response_id?: string;

  @Field.oneOf(['agent', 'requester'], {
    description: 'requester: records what they said elsewhere, mails nothing, and reopens the ticket.',
    example: 'agent',
    default: 'agent',
    required: false,
  })
  as?: 'agent' | 'requester';

  @Field.uuid({
    description: 'New status, from list_ticket_statuses.',
    example: EXAMPLE.status,
    required: false,
  })
  status_id?: string;
}

export class AddTicketNoteDto extends AttachmentIdsDto {
  @Field.string({
    description: 'Text of the note.',
    example: 'Called them; the cable was loose.',
    maxLength: 100_000,
  })
  body: string;
}

export class MergeTicketDto {
  @Field.uuid({
    description: 'The ticket to merge into, from list_tickets, by id or number.',
    example: EXAMPLE.otherTicket,
    orKey: TICKET_NUMBER,
  })
  into_id: string;
}

@Listing({
  sort: ['created_at'],
  defaultSort: 'created_at',
})
export class TicketMessagesQuery extends ListQuery {
  @Filter.oneOf(MESSAGE_KINDS, {
    description: 'Only of these kinds.',
    example: ['public'],
  })
  kind?: MessageKind[];
}
