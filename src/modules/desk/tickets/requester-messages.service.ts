import { Injectable } from '@nestjs/common';
import type { Ctx, Tx } from '../../../kit/index.js';
import { TicketChanges } from '../changes/ticket-changes.js';
import { DeskConfig, defaultStatus } from '../config/desk-config.js';
import type { MessageFile } from '../attachments/message-files.js';
import type { DeskMailbox } from '../model/mailbox.entity.js';
import type { TicketMessage } from '../model/message.entity.js';
import { Ticket } from '../model/ticket.entity.js';
import { priorityOf, type Author, type Channel } from '../model/values.js';
import { TicketMessageDto } from '../ticket-views/message.dto.js';
import { MessagesWriter } from './messages-writer.js';
import { TicketsService, type OpenedTicket } from './tickets.service.js';

/** What somebody outside wrote. */
export interface RequesterMessage {
  author: { email: string; name: string | null };
  body: string;
  /** Sanitized. */
  bodyHtml?: string | null;
  files?: readonly MessageFile[];
}

/** Adds messages of requesters, from mails or API calls, as part of a larger change. */
@Injectable()
export class RequesterMessages {
  constructor(
    private readonly messages: MessagesWriter,
    private readonly tickets: TicketsService,
    private readonly changes: TicketChanges,
    private readonly config: DeskConfig,
  ) {}

  async openFromMail(
    ctx: Ctx,
    tx: Tx,
    {
      mailbox,
      author,
      subject,
      ccEmails,
      ...message
    }: RequesterMessage & { mailbox: DeskMailbox; subject: string; ccEmails: readonly string[] },
  ): Promise<OpenedTicket> {
    const { project_id } = mailbox;
    const { queues } = await this.config.of(tx, project_id);
    return this.tickets.open(ctx, tx, project_id, {
      subject,
      requester: author,
      cc_emails: [...ccEmails],
      // a mailbox may outlive its queue
      queue_id: queues.find(({ id, active }) => id === mailbox.queue_id && active)?.id,
      channel: 'mail',
      message,
    });
  }

  /**
   * Adds a message of the requester or of a recipient of copies to a locked ticket. It reopens a pending, on-hold or solved ticket and
   * ends a snooze. If the ticket is closed, the message opens a follow-up ticket instead. Follow merges before calling this.
   */
  async requesterWrites(ctx: Ctx, tx: Tx, ticket: Ticket, written: RequesterMessage, channel: Channel = 'mail'): Promise<OpenedTicket> {
    if (ticket.status_category === 'closed') return this.followUp(ctx, tx, ticket, written, channel);
    const author = { type: 'requester', ...written.author } as const;
    const { message, attachments } = await this.messages.write(ctx, tx, ticket, { ...written, kind: 'public', author });
    const status = defaultStatus(await this.config.of(tx, ticket.project_id), 'open');
    const reopens = ticket.status_category !== 'new' && ticket.status_category !== 'open';
    const changed = await this.changes.apply(tx, ticket, {
      values: {
        ...(reopens ? { status_id: status.id, status_category: status.category } : {}),
        snoozed_until_at: null,
        waiting_since_at: ticket.waiting_since_at ?? tx.startedAt,
      },
      trigger: 'requester',
      message: TicketMessageDto.from(message, attachments),
    });
    return { ticket: changed, message };
  }

  /** Adds an automatic mail to its ticket as a note, without further effects or notifications. The ticket must not be closed. */
  async fileSilently(
    ctx: Ctx,
    tx: Tx,
    ticket: Ticket,
    { author, ...written }: Omit<RequesterMessage, 'author'> & { author: RequesterMessage['author'] | null },
  ): Promise<TicketMessage> {
    const by: Author = author === null ? { type: 'system', email: null, name: null } : { type: 'requester', ...author };
    const { message } = await this.messages.write(ctx, tx, ticket, { ...written, kind: 'internal', author: by });
    return message;
  }

  private async followUp(
    ctx: Ctx,
    tx: Tx,
    ticket: Ticket,
    { author, ...message }: RequesterMessage,
    channel: Channel,
  ): Promise<OpenedTicket> {
    const config = await this.config.of(tx, ticket.project_id);
    const queue = config.queues.find(({ id, active }) => id === ticket.queue_id && active);
    return this.tickets.open(ctx, tx, ticket.project_id, {
      subject: ticket.subject,
      requester: author,
      cc_emails: [ticket.requester_email, ...ticket.cc_emails].slice(0, 20),
      queue_id: queue?.id,
      priority: priorityOf(ticket.priority),
      tags: ticket.tags,
      channel,
      followUpOfId: ticket.id,
      message,
    });
  }
}

/** Locks the ticket or, if it was merged, the final one. */
export async function lockFinal(tx: Tx, id: string): Promise<Ticket> {
  let ticket = await tx.lock(Ticket, id);
  // merged tickets are closed, so merges cannot form a cycle
  while (ticket.merged_into_id !== null) ticket = await tx.lock(Ticket, ticket.merged_into_id);
  return ticket;
}
