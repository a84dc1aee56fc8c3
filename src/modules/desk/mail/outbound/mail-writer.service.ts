import { Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import { Mails, Settings, sql, type Ctx, type Mail, type Tx } from '../../../../kit/index.js';
import { OutboundMailRow } from '../../model/mails.entity.js';
import type { Ticket } from '../../model/ticket.entity.js';
import { messageIdOf } from '../conversation/message-ids.js';

const MOST_REFERENCES = 20;

/** The mails of a ticket so far: received ones, and sent ones except requests for ratings. */
const THREAD = `
  SELECT message_id FROM (
    SELECT message_id, created_at, id FROM desk_inbound_mails WHERE ticket_id = $1 AND status = 'processed'
    UNION ALL
    SELECT message_id, created_at, id FROM desk_outbound_mails WHERE ticket_id = $1 AND kind <> 'rating'
  ) AS mail WHERE message_id IS NOT NULL ORDER BY created_at, id`;

/** The mailbox that the ticket's last mail came to, else one of its queue, else any of its project. */
const MAILBOX = `
  SELECT address, name FROM desk_mailboxes m
  WHERE organization_id = $1 AND project_id = $2 AND mode = $3 AND active
  ORDER BY id = (SELECT mailbox_id FROM desk_inbound_mails WHERE ticket_id = $4 AND status = 'processed' ORDER BY created_at DESC LIMIT 1)
    DESC NULLS LAST, queue_id = $5 DESC, created_at, id LIMIT 1`;

export interface TicketMail {
  subject: string;
  content: Pick<Mail, 'text'> & { html: string };
  autoSubmitted?: Mail['autoSubmitted'];
  files?: Mail['files'];
  shownRecipients?: Mail['shownRecipients'];
  confidential?: true;
}

/** The subject of mails; `ticket_message_id` is the message that they contain. */
export type RecordedMail = Pick<OutboundMailRow, 'project_id' | 'ticket_id' | 'ticket_message_id' | 'kind'>;

/** A mail that was written to the outbox. */
export interface SentMail {
  mailId: string;
  recipient: string;
  /** With angle brackets; the same for all recipients. */
  messageId: string;
}

/** Writes mails about tickets. Each is part of the ticket's conversation, and replies go to its mailbox. */
@Injectable()
export class MailWriter {
  constructor(
    private readonly mails: Mails,
    private readonly settings: Settings,
  ) {}

  /** Writes the mail once for each recipient, in this order. */
  async write(ctx: Ctx, tx: Tx, ticket: Ticket, recipients: readonly string[], { content, ...mail }: TicketMail): Promise<SentMail[]> {
    const [mailbox] = await this.mailboxesOf(tx, ticket);
    const references = await referencesOf(tx, ticket.id);
    const messageId = messageIdOf(uuidv7(), this.settings.mailFrom);
    const sent: SentMail[] = [];
    for (const recipient of recipients) {
      const mailId = await this.mails.send(ctx, tx, {
        ...mail,
        ...content,
        to: recipient,
        messageId,
        references,
        ...(mailbox && { replyTo: mailbox.address, ...(mailbox.name !== null && { senderName: mailbox.name }) }),
        permission: 'desk.ticket.manage',
        sequenceKey: `ticket ${ticket.id}`,
      });
      sent.push({ mailId, recipient, messageId });
    }
    return sent;
  }

  /** Stores the Message-IDs, so that the ticket of a reply can be found. */
  async record(ctx: Ctx, tx: Tx, of: RecordedMail, sent: readonly SentMail[]): Promise<void> {
    const states = await this.mails.states(
      ctx,
      sent.map(({ mailId }) => mailId),
    );
    for (const { mailId, recipient, messageId } of sent) {
      const status = states.find(({ id }) => id === mailId)?.status ?? 'queued';
      await tx.insert(OutboundMailRow, { ...of, recipient, message_id: messageId, mail_id: mailId, status, error: null });
    }
  }

  private mailboxesOf(tx: Tx, ticket: Ticket): Promise<{ address: string; name: string | null }[]> {
    const { organization_id, project_id, mode, id, queue_id } = ticket;
    return tx.query(sql.legacy(MAILBOX, [organization_id, project_id, mode, id, queue_id]));
  }
}

/** The first mail, which identifies the conversation, and the latest ones. */
async function referencesOf(tx: Tx, ticketId: string): Promise<string[]> {
  const rows = await tx.query<{ message_id: string }>(sql.legacy(THREAD, [ticketId]));
  const ids = [...new Set(rows.map(({ message_id }) => message_id))];
  return ids.length <= MOST_REFERENCES ? ids : [ids[0], ...ids.slice(1 - MOST_REFERENCES)];
}
