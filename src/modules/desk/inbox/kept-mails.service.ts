import { Injectable } from '@nestjs/common';
import { CommonErrors, FileResponse, Files, own, PRIVATE_HEADERS, sql, Store, table, type Ctx, type FileOf } from '../../../kit/index.js';
import { readMail } from '../mail/inbound/read-mail.js';
import { InboundMailRow } from '../model/mails.entity.js';
import { MailFiling } from './mail-filing.service.js';
import { isTwin, lockDeliveries } from './received-mails.service.js';

/** Received mails that became no ticket: what they are, as they were received, and how one becomes a ticket after all. */
@Injectable()
export class KeptMails {
  constructor(
    private readonly store: Store,
    private readonly filing: MailFiling,
    private readonly files: Files,
  ) {}

  async raw(ctx: Ctx, id: string): Promise<FileResponse> {
    return new FileResponse('message/rfc822', await this.content(ctx, id), {
      filename: `${id}.eml`,
      download: true,
      headers: { ...PRIVATE_HEADERS, 'Content-Security-Policy': `sandbox; default-src 'none'` },
    });
  }

  /** Does nothing if it is one already. */
  async open(ctx: Ctx, id: string, requesterEmail: string | undefined): Promise<InboundMailRow> {
    const before = await this.store.get(ctx, InboundMailRow, id);
    if (before.status === 'processed') return before;
    if (before.status === 'received') throw CommonErrors.resourceConflict({ message: 'The mail is being read; try again in a moment.' });
    const mail = await readMail(await this.content(ctx, id));
    const requester = requesterEmail === undefined ? null : { email: requesterEmail.toLowerCase(), name: null };
    return this.store.write(ctx, async (tx) => {
      await lockDeliveries(tx, before.mailbox_id, before.message_id);
      const row = await tx.lock(InboundMailRow, id);
      if (row.status === 'processed') return row;
      const [taken] = await tx.sql<{ ticket_id: string | null }>(
        sql`SELECT i.ticket_id FROM ${table(InboundMailRow)} i
          WHERE ${own('i')} AND i.mailbox_id = ${row.mailbox_id} AND i.message_id = ${row.message_id}
            AND ${isTwin(row.fingerprint)} AND i.status IN ('received', 'processed') LIMIT 1`,
      );
      if (taken)
        throw CommonErrors.duplicate({
          message: `The same mail has already become a ticket${taken.ticket_id === null ? '' : `: ${taken.ticket_id}`}.`,
          ...(taken.ticket_id !== null && { extra: { existing_id: taken.ticket_id } }),
        });
      return this.filing.accept(ctx, tx, row, mail, requester);
    });
  }

  private async content(ctx: Ctx, id: string): Promise<Buffer> {
    await this.store.get(ctx, InboundMailRow, id);
    const [row] = await this.store.reader(ctx).sql<FileOf<'content'>>(
      sql`SELECT i.content, i.content_object_id FROM ${table(InboundMailRow)} i
          WHERE ${own('i')} AND i.id = ${id} AND (i.content IS NOT NULL OR i.content_object_id IS NOT NULL)`,
    );
    if (row) return this.files.read(ctx, row, 'content');
    throw CommonErrors.notFound({ message: 'The original mail is no longer stored: see raw_until_at and ticket_id.' });
  }
}
