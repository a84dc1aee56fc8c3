import { Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import { Contexts, Jobs, Store, sql, type TokenRow, type Tx } from '../../../kit/index.js';
import { messageIdIn } from '../mail/inbound/message-id.js';
import { ReadMail } from './read-mail.job.js';

const BY_HASH = `
  SELECT id, organization_id, project_id, mode, NULL::text AS email FROM desk_mailboxes WHERE token_hash = $1 AND active`;

const READ_AGAIN = `
  UPDATE desk_inbound_mails SET status = 'received', reason = NULL, raw_until_at = NULL, version = version + 1, updated_at = now()
  WHERE id = (
    SELECT id FROM desk_inbound_mails
    WHERE organization_id = $1 AND mode = $2 AND mailbox_id = $3 AND message_id = $4 AND status IN ('filed', 'failed') AND content = $5
    ORDER BY id LIMIT 1)
    AND NOT EXISTS (
      SELECT FROM desk_inbound_mails
      WHERE organization_id = $1 AND mailbox_id = $3 AND message_id = $4 AND status IN ('received', 'processed'))
  RETURNING id`;

/** Accepts mails from gateways. They are stored as received and parsed by a job, so that gateways need not wait. */
@Injectable()
export class ReceivedMails {
  constructor(
    private readonly store: Store,
    private readonly contexts: Contexts,
    private readonly jobs: Jobs,
  ) {}

  async receive(token: string, raw: Buffer, requestId: string): Promise<{ message_id: string; repeated: boolean }> {
    const { ctx, row: mailbox } = await this.contexts.byToken<TokenRow>(token, BY_HASH, {
      unknown: 'There is no such mailbox.',
      requestId,
    });
    const messageId = messageIdIn(raw);
    return this.store.write(ctx, async (tx) => {
      await lockDeliveries(tx, mailbox.id, messageId);
      // a mail that became no ticket is read again, because its domain may be trusted now
      const [kept] = await tx.query<{ id: string }>(sql.legacy(READ_AGAIN, [ctx.organizationId, ctx.mode, mailbox.id, messageId, raw]));
      const [stored = kept] = await tx.query<{ id: string }>(
        sql.legacy(
          `INSERT INTO desk_inbound_mails (id, organization_id, project_id, mode, mailbox_id, message_id, content)
         VALUES ($1, $2, $3, $4, $5, $6, $7) 
         ON CONFLICT (mailbox_id, message_id) WHERE status IN ('received', 'processed') DO NOTHING RETURNING id`,
          [uuidv7(), ctx.organizationId, mailbox.project_id, ctx.mode, mailbox.id, messageId, raw],
        ),
      );
      if (stored) await this.jobs.add(ctx, tx, ReadMail, { mail_id: stored.id });
      return { message_id: messageId, repeated: stored === undefined };
    });
  }
}

/** Of one Message-ID, one mail of a mailbox becomes a ticket. Taken before any row of these mails is locked. */
export function lockDeliveries(tx: Tx, mailboxId: string, messageId: string | null): Promise<void> {
  return tx.mutex(`desk mail ${mailboxId} ${messageId}`);
}
