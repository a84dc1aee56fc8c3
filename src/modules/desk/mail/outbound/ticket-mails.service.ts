import { Injectable } from '@nestjs/common';
import { HOUR_MS, organizationName, own, sql, Store, table, type Ctx, type MailState, type Tx } from '../../../../kit/index.js';
import { OutboundMailRow } from '../../model/mails.entity.js';
import type { TicketMessage } from '../../model/message.entity.js';
import type { Ticket } from '../../model/ticket.entity.js';
import type { Author } from '../../model/values.js';
import type { MailFile } from '../inbound/inbound-mail.js';
import { subjectOf } from '../conversation/message-ids.js';
import { MailWriter, type SentMail } from './mail-writer.service.js';
import { acknowledgementContent, replyContent } from './ticket-content.js';

/** The most acknowledgements that one address gets per hour, however many mails arrive in its name. */
const MOST_NUMBERS_PER_HOUR = 3;

/** The delivery status of a mail. */
export type Delivery = Pick<MailState, 'status' | 'error'>;

/** Mails to the requester of a ticket and the recipients of copies. */
@Injectable()
export class TicketMails {
  constructor(
    private readonly store: Store,
    private readonly writer: MailWriter,
  ) {}

  /**
   * Mails an agent's reply with its files; all copies show their recipients, and the first mail is the requester's. Those in `reached`
   * have it already. Call `recordAnswer` once the message is written.
   */
  async answer(
    ctx: Ctx,
    tx: Tx,
    ticket: Ticket,
    { author, body, files }: { author: Author; body: string; files?: readonly MailFile[] },
    reached: readonly string[] = [],
  ): Promise<SentMail[]> {
    const recipients = [...new Set([ticket.requester_email, ...ticket.cc_emails])].filter((email) => !reached.includes(email));
    const content = replyContent(body, author.name, await organizationName(tx), ticket.number);
    const shownRecipients = { to: ticket.requester_email, cc: ticket.cc_emails };
    const mail = { subject: subjectOf(ticket), content, files, shownRecipients, autoSubmitted: 'no' } as const;
    return this.writer.write(ctx, tx, ticket, recipients, mail);
  }

  /** Stores which mails contain a message, so that the ticket of a reply can be found. */
  recordAnswer(ctx: Ctx, tx: Tx, { id, project_id, ticket_id }: TicketMessage, sent: readonly SentMail[]): Promise<void> {
    return this.writer.record(ctx, tx, { kind: 'reply', project_id, ticket_id, ticket_message_id: id }, sent);
  }

  /**
   * The delivery status of the mails to requesters with these messages, by the mails' ids. The outbox keeps mails for a limited time
   * only.
   */
  async deliveries(ctx: Ctx, messages: readonly TicketMessage[]): Promise<Map<string | null, Delivery>> {
    const ids = messages.flatMap(({ id, mail_id }) => (mail_id === null ? [] : id));
    if (ids.length === 0) return new Map();
    const rows = await this.store.list(ctx, OutboundMailRow, { ticket_message_id: ids });
    return new Map(rows.map(({ mail_id, status, error }) => [mail_id, { status, error }]));
  }

  /** Mails the requester the number of a new ticket, unless they got several such mails recently. */
  async acknowledge(ctx: Ctx, tx: Tx, ticket: Ticket): Promise<void> {
    const { number, requester_email: to } = ticket;
    await tx.advanced.mutex(`desk acknowledgement ${ctx.organizationId} ${ctx.mode} ${to}`);
    const since = new Date(tx.startedAt.getTime() - HOUR_MS);
    const lately = await tx.sql(
      sql.inAllProjects('the limit of mails to an address counts those of all projects')`SELECT FROM ${table(OutboundMailRow)} o
        WHERE ${own('o')} AND o.recipient = ${to} AND o.kind = 'acknowledgement' AND o.created_at > ${since}
        LIMIT ${MOST_NUMBERS_PER_HOUR}`,
    );
    if (lately.length >= MOST_NUMBERS_PER_HOUR) return;
    const sent = await this.writer.write(ctx, tx, ticket, [to], {
      subject: `[${number}] We have received your message`,
      content: acknowledgementContent(await organizationName(tx), number),
      autoSubmitted: 'auto-replied',
    });
    const { id: ticket_id, project_id } = ticket;
    await this.writer.record(ctx, tx, { kind: 'acknowledgement', project_id, ticket_id, ticket_message_id: null }, sent);
  }
}
