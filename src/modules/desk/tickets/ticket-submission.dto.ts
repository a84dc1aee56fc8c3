import { Field, pickOf } from '../../../kit/index.js';
import { CreateTicketDto } from './tickets.dto.js';

/** A ticket in one level, as a form's answers fill it. */
export class TicketSubmissionBody extends pickOf(CreateTicketDto, [
  'project_id',
  'subject',
  'message',
  'queue_id',
  'priority',
  'tags',
  'external_id',
  'custom_fields',
]) {
  @Field.email({
    description: 'E-mail address of the requester.',
    example: 'ada@customer.example',
  })
  requester_email: string;

  @Field.string({
    description: 'Name of the requester.',
    example: 'Ada Lovelace',
    nullable: true,
    required: false,
  })
  requester_name?: string | null;
}
