import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Store, type Mode } from '../../src/kit/index.js';
import { platformSql } from '../../src/kit/internal.js';
import { RequesterMessages } from '../../src/modules/desk/desk.public.js';
import { systemContext } from '../../src/platform/persistence/transactions/call-context.js';

/** For `TestApp.inside`: opens a ticket with a file, as only a mail can. Returns the ids. */
export function openWithFile(
  app: NestFastifyApplication,
  organizationId: string,
  mode: Mode,
  { projectId, queueId, mediaType, content }: { projectId: string; queueId: string; mediaType: string; content: string },
): Promise<{ ticketId: string; attachmentId: string }> {
  const ctx = systemContext(organizationId, mode);
  return app.get(Store).write(ctx, async (tx) => {
    const { ticket, message } = await app.get(RequesterMessages).openFromMail(ctx, tx, {
      mailbox: { project_id: projectId, queue_id: queueId } as never,
      author: { email: 'ada@customer.example', name: 'Ada Lovelace' },
      subject: 'The printer does not print',
      ccEmails: [],
      body: 'See the file.',
      files: [{ fileName: 'log.txt', mediaType, bytes: Buffer.from(content) }],
    });
    const [{ id }] = await tx.query<{ id: string }>(platformSql('SELECT id FROM desk_attachments WHERE message_id = $1', [message.id]));
    return { ticketId: ticket.id, attachmentId: id };
  });
}
