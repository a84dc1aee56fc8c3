import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Store, type Ctx } from '../../../kit/index.js';
import { RequesterMessages } from '../desk.public.js';
import { Attachment } from '../model/attachment.entity.js';

/** For `TestApp.inside`: opens a ticket with a file, as only a mail can. Returns the ids. */
export function openWithFile(
  app: NestFastifyApplication,
  ctx: Ctx,
  { projectId, queueId, mediaType, content }: { projectId: string; queueId: string; mediaType: string; content: string },
): Promise<{ ticketId: string; attachmentId: string }> {
  return app.get(Store).write(ctx, async (tx) => {
    const { ticket, message } = await app.get(RequesterMessages).openFromMail(ctx, tx, {
      mailbox: { project_id: projectId, queue_id: queueId } as never,
      author: { email: 'ada@customer.example', name: 'Ada Lovelace' },
      subject: 'The printer does not print',
      ccEmails: [],
      body: 'See the file.',
      files: [{ fileName: 'log.txt', mediaType, bytes: Buffer.from(content) }],
    });
    const [attachment] = await tx.list(Attachment, { message_id: message.id });
    return { ticketId: ticket.id, attachmentId: attachment.id };
  });
}
