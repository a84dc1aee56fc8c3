import { bothOf, Field, pickOf, ResourceDto, responseOf } from '../../../kit/index.js';
import type { Attachment } from '../model/attachment.entity.js';
import { EXAMPLE } from '../model/example-ids.js';
import { MessageAttachmentDto } from '../ticket-views/message.dto.js';

/** A file for a message that is to be written. As a form, it is sent in the field file instead. */
export class UploadTicketAttachmentDto {
  @Field.uuid({
    description: 'Project of the ticket; the default project if omitted.',
    example: EXAMPLE.project,
    required: false,
  })
  project_id?: string;

  @Field.string({
    description: 'File name; required unless a form sends the file.',
    example: 'log.txt',
    inSamples: true,
    maxLength: 255,
    required: false,
  })
  file_name?: string;

  @Field.string({
    description: 'Media type.',
    example: 'text/plain',
    default: 'application/octet-stream',
    maxLength: 200,
    required: false,
  })
  media_type?: string;

  @Field.string({
    description: 'The content of a text file; this or content_base64.',
    inSamples: true,
    example: 'PC LOAD LETTER',
    maxLength: 1_000_000,
    required: false,
  })
  text?: string;

  @Field.string({
    description: 'The content in Base64. Send files over 700 KB as a form.',
    example: 'UEMgTE9BRCBMRVRURVI=',
    maxLength: 1_000_000,
    required: false,
  })
  content_base64?: string;
}

/** A file that came with a message. */
export class TicketAttachmentDto extends bothOf(ResourceDto, pickOf(MessageAttachmentDto, ['file_name', 'media_type', 'size_bytes'])) {
  @Field.constant('ticket_attachment')
  object: string;

  @Field.uuid({
    description: 'Project of the ticket.',
    example: EXAMPLE.project,
  })
  project_id: string;

  @Field.uuid({
    description: 'Message that it came with; null for an upload that no message has used.',
    example: EXAMPLE.message,
    nullable: true,
  })
  message_id: string | null;

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
    return { ...responseOf(TicketAttachmentDto, attachment), text, text_truncated: isTruncated, download_url };
  }
}
