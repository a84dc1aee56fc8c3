import { Injectable } from '@nestjs/common';
import { own, sql, table, type Ctx, type Tx } from '../../../kit/index.js';
import { TicketChanges } from '../changes/ticket-changes.js';
import type { Bounce } from '../mail/inbound/inbound-mail.js';
import { OutboundMailRow } from '../model/mails.entity.js';
import type { TicketMessage } from '../model/message.entity.js';
import { Ticket } from '../model/ticket.entity.js';
import { TicketMessageDto } from '../ticket-views/message.dto.js';
import { TicketDto } from '../ticket-views/ticket.dto.js';
import { TicketEvents } from '../ticket-views/tickets.events.js';
import { MessagesWriter } from '../tickets/messages-writer.js';
import { lockFinal } from '../tickets/requester-messages.service.js';

const SYSTEM = { type: 'system', email: null, name: null } as const;
const NAMES = { reply: 'answer', acknowledgement: 'confirmation', rating: 'request for a rating' } as const;

/** The report is about these recipients. If it names none of ours, as after forwarding, it counts if there was only one. */
const byMessageId = ({ messageIds, recipients }: Bounce) => sql`
  SELECT o.id, o.recipient = ANY (${recipients}) OR NOT EXISTS (
      SELECT FROM ${table(OutboundMailRow)} other
      WHERE ${own('other')} AND other.message_id = o.message_id AND other.id <> o.id) AS is_meant
  FROM ${table(OutboundMailRow)} o
  WHERE ${own('o')} AND o.message_id = ANY (${messageIds})`;
/** A report that names no Message-ID is about the latest mail about the ticket to each recipient. */
const byNumber = (projectId: string, ticketNumber: string, { recipients }: Bounce) => sql`
  SELECT DISTINCT ON (o.recipient) o.id, true AS is_meant
  FROM ${table(OutboundMailRow)} o JOIN ${table(Ticket)} t ON t.id = o.ticket_id AND ${own('t')}
  WHERE ${own('o')} AND t.project_id = ${projectId} AND t.number = ${ticketNumber} AND o.recipient = ANY (${recipients})
  ORDER BY o.recipient, o.created_at DESC, o.id DESC`;

/** Where a failure is shown; no message if the ticket is closed. */
export interface NotedFailure {
  ticket: Ticket;
  message: TicketMessage | null;
}

/** Shows on tickets that a mail did not arrive. */
@Injectable()
export class MailFailures {
  constructor(
    private readonly messages: MessagesWriter,
    private readonly changes: TicketChanges,
  ) {}

  /** Takes note of a mail that cannot be delivered. */
  async note(ctx: Ctx, tx: Tx, mail: OutboundMailRow, error: string): Promise<NotedFailure> {
    const { recipient, kind, ticket_message_id: message_id, project_id: projectId } = await tx.update(mail, { status: 'failed', error });
    const ticket = await lockFinal(tx, mail.ticket_id);
    const body = `The ${NAMES[kind]} to ${recipient} could not be delivered: ${error}`;
    const written =
      ticket.status_category === 'closed' ? null : await this.messages.write(ctx, tx, ticket, { kind: 'system', author: SYSTEM, body });
    const message = written && TicketMessageDto.from(written.message);
    const changed = message
      ? await this.changes.apply(tx, ticket, { values: {}, trigger: 'update', message })
      : await tx.advanced.touch(ticket);
    tx.emit(TicketEvents.messageFailed, { object: TicketDto.from(changed), context: { message_id, recipient, error }, projectId });
    return { ticket: changed, message: written?.message ?? null };
  }

  /** Takes note of a report that a mail was accepted and returned later. Returns where that is shown, if it was news. */
  async noteBounce(ctx: Ctx, tx: Tx, projectId: string, bounce: Bounce): Promise<NotedFailure | null> {
    if (!bounce.isFinal) return null;
    let shown: NotedFailure | null = null;
    for (const id of await meantBy(tx, projectId, bounce)) {
      const [mail] = await tx.lockWhere(OutboundMailRow, { id, status: ['queued', 'sent'] });
      if (mail) shown = await this.note(ctx, tx, mail, bounce.reason);
    }
    return shown;
  }
}

async function meantBy(tx: Tx, projectId: string, bounce: Bounce): Promise<string[]> {
  const { ticketNumber } = bounce;
  const withId = await tx.sql<{ id: string; is_meant: boolean }>(byMessageId(bounce));
  const found =
    withId.length > 0 || ticketNumber === null ? withId : await tx.sql<(typeof withId)[0]>(byNumber(projectId, ticketNumber, bounce));
  return found.filter(({ is_meant }) => is_meant).map(({ id }) => id);
}
