import { Injectable } from '@nestjs/common';
import { Files, type Ctx, type Tx } from '../../../kit/index.js';
import type { MessageFile } from '../attachments/message-files.js';
import { Attachment } from '../model/attachment.entity.js';
import { TicketMessage, type ShownAttachment } from '../model/message.entity.js';
import type { Ticket } from '../model/ticket.entity.js';
import type { Author, MessageKind } from '../model/values.js';

export interface NewMessage {
  kind: MessageKind;
  author: Author;
  body: string;
  /** Sanitized. */
  bodyHtml?: string | null;
  files?: readonly MessageFile[];
  mailId?: string | null;
}

/** Writes the messages of tickets. */
@Injectable()
export class MessagesWriter {
  constructor(private readonly files: Files) {}

  /** Writes a message with its files. The ticket must be locked. */
  async write(
    ctx: Ctx,
    tx: Tx,
    { id: ticket_id, project_id }: Pick<Ticket, 'id' | 'project_id'>,
    { kind, author, body, bodyHtml = null, files = [], mailId = null }: NewMessage,
  ): Promise<{ message: TicketMessage; attachments: ShownAttachment[] }> {
    const message = await tx.advanced.pipelined.insert(TicketMessage, {
      project_id,
      ticket_id,
      original_ticket_id: null,
      kind,
      author_type: author.type,
      author_email: author.email,
      author_name: author.name,
      body,
      body_html: bodyHtml,
      mail_id: mailId,
      created_by: ctx.actor,
    });
    const attachments: ShownAttachment[] = [];
    for (const { uploadId, fileName, mediaType, bytes } of files) {
      const values = { file_name: fileName, media_type: mediaType, size_bytes: bytes.length };
      const { id } =
        uploadId === undefined
          ? await tx.insert(Attachment, {
              ...values,
              project_id,
              message_id: message.id,
              ...(await this.files.keep(tx, Attachment, 'content', bytes)),
            })
          : await tx.update(await tx.lock(Attachment, uploadId), { message_id: message.id });
      attachments.push({ id, file_name: fileName, media_type: mediaType, size_bytes: bytes.length });
    }
    return { message: Object.assign(message, { attachments }), attachments };
  }
}
