import { Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import { Contexts, Jobs, Store, type TokenRow } from '../../../kit/index.js';
import { messageIdIn } from '../mail/inbound/message-id.js';
import { ReadMail } from './read-mail.job.js';

const BY_HASH = `
  SELECT id, organization_id, project_id, mode, NULL::text AS email FROM desk_mailboxes WHERE token_hash = $1 AND active`;

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
      const [stored] = await tx.query<{ id: string }>(
        `INSERT INTO desk_inbound_mails (id, organization_id, project_id, mode, mailbox_id, message_id, content)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (mailbox_id, message_id) DO NOTHING RETURNING id`,
        [uuidv7(), ctx.organizationId, mailbox.project_id, ctx.mode, mailbox.id, messageId, raw],
      );
      if (stored) await this.jobs.add(ctx, tx, ReadMail, { mail_id: stored.id });
      return { message_id: messageId, repeated: stored === undefined };
    });
  }
}
