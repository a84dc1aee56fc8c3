import { Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import { Mails, own, Settings, sql, table, type Ctx, type Mail, type Tx } from '../../../../kit/index.js';
import { DeskMailbox } from '../../model/mailbox.entity.js';
import { InboundMailRow, OutboundMailRow } from '../../model/mails.entity.js';
import type { Ticket } from '../../model/ticket.entity.js';
import { messageIdOf } from '../conversation/message-ids.js';

const MOST_REFERENCES = 20;

/** The mails of a ticket so far: received ones, and sent ones except requests for ratings. */
const threadOf = (ticketId: string) => sql`
  SELECT message_id FROM (
    SELECT i.message_id, i.created_at, i.id FROM ${table(InboundMailRow)} i
    WHERE ${own('i')} AND i.ticket_id = ${ticketId} AND i.status = 'processed'
    UNION ALL
    SELECT o.message_id, o.created_at, o.id FROM ${table(OutboundMailRow)} o
    WHERE ${own('o')} AND o.ticket_id = ${ticketId} AND o.kind <> 'rating'
  ) AS mail WHERE message_id IS NOT NULL ORDER BY created_at, id`;

/** The mailbox that the ticket's last mail came to, else one of its queue, else any of its project. */
const mailboxOf = ({ project_id, id, queue_id }: Ticket) => sql`
  SELECT m.address, m.name FROM ${table(DeskMailbox)} m
  WHERE ${own('m')} AND m.project_id = ${project_id} AND m.active
  ORDER BY m.id = (SELECT i.mailbox_id FROM ${table(InboundMailRow)} i WHERE ${own('i')} AND i.ticket_id = ${id} AND i.status = 'processed'
    ORDER BY i.created_at DESC LIMIT 1) DESC NULLS LAST, m.queue_id = ${queue_id} DESC, m.created_at, m.id LIMIT 1`;

export interface TicketMail {
  subject: string;
  content: Mail['content'];
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
  async write(ctx: Ctx, tx: Tx, ticket: Ticket, recipients: readonly string[], mail: TicketMail): Promise<SentMail[]> {
    const [mailbox] = await tx.sql<Pick<DeskMailbox, 'address' | 'name'>>(mailboxOf(ticket));
    const references = await referencesOf(tx, ticket.id);
    const messageId = messageIdOf(uuidv7(), this.settings.mailFrom);
    const sent: SentMail[] = [];
    for (const recipient of recipients) {
      const mailId = await this.mails.send(ctx, tx, {
        ...mail,
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
}

/** The first mail, which identifies the conversation, and the latest ones. */
async function referencesOf(tx: Tx, ticketId: string): Promise<string[]> {
  const rows = await tx.sql<{ message_id: string }>(threadOf(ticketId));
  const ids = [...new Set(rows.map(({ message_id }) => message_id))];
  return ids.length <= MOST_REFERENCES ? ids : [ids[0], ...ids.slice(1 - MOST_REFERENCES)];
}
