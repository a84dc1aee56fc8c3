import { Field, ResourceDto } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import type { Attachment } from '../model/attachment.entity.js';

/** A file that came with a message. */
export class TicketAttachmentDto extends ResourceDto {
  @Field.constant('ticket_attachment')
  object: string;

  @Field.uuid({
    description: 'Project of the ticket.',
    example: EXAMPLE.project,
  })
  project_id: string;

  @Field.uuid({
    description: 'Message that it came with.',
    example: EXAMPLE.message,
  })
  message_id: string;

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

  @Field.string({
    description: 'The first 64 KiB of a text file; null for other files.',
    example: 'PC LOAD LETTER',
    nullable: true,
    minLength: 0,
    maxLength: 65_536,
  })
  text: string | null;

  @Field.boolean({
    description: 'Whether the text is truncated.',
    example: false,
  })
  text_truncated: boolean;

  @Field.string({
    description: 'Downloads the file; valid for 15 minutes.',
    example: 'https://suite.example.com/d/...',
    maxLength: 2_000,
  })
  download_url: string;

  static from(this: void, attachment: Attachment, text: string | null, isTruncated: boolean, download_url: string): TicketAttachmentDto {
    const { id, project_id, message_id, file_name, media_type, size_bytes, version } = attachment;
    return {
      object: 'ticket_attachment',
      id,
      project_id,
      message_id,
      file_name,
      media_type,
      size_bytes,
      text,
      text_truncated: isTruncated,
      download_url,
      version,
      created_at: attachment.created_at.toISOString(),
      updated_at: attachment.updated_at.toISOString(),
    };
  }
}
