import { defineEvents, event } from '../../../kit/index.js';
import { TicketDto } from './ticket.dto.js';

const OF_TICKET = { permission: 'desk.ticket.manage', payload: TicketDto };
const BY_WRITE = { ...OF_TICKET, scope: 'desk:ticket:write' };

export const TicketEvents = defineEvents({
  created: event({ ...BY_WRITE, name: 'ticket.created', description: 'A ticket was created.' }),
  updated: event({
    ...BY_WRITE,
    name: 'ticket.updated',
    description: 'Subject, copies, queue, assignee, priority, tags, snoozing, external id or the label of the status changed.',
  }),
  statusChanged: event({
    ...BY_WRITE,
    name: 'ticket.status_changed',
    description: 'The category of the status changed.',
    context: {
      from: 'The category before.',
      to: 'The category now.',
      trigger: 'reply, assignment, update, requester, merge or auto_close.',
    },
  }),
  messageAdded: event({
    ...OF_TICKET,
    scope: 'desk:message:write',
    name: 'ticket.message_added',
    description: 'A public message or a note was added to a ticket.',
    context: { message: 'The message, as in list_ticket_messages.' },
  }),
  messageFailed: event({
    ...OF_TICKET,
    scope: 'desk:message:write',
    name: 'ticket.message_failed',
    description: 'A mail about a ticket could not be delivered: it was rejected immediately, or a mail server reported the failure later.',
    context: {
      message_id: 'The message that it carried; null for a confirmation or a request for a rating.',
      recipient: 'The address that it did not reach.',
      error: 'What the mail server said.',
    },
  }),
  merged: event({
    ...BY_WRITE,
    name: 'ticket.merged',
    description: 'The messages of a ticket were moved to another one, and it was closed.',
    context: { into_id: 'The ticket that has its messages now.' },
  }),
  slaBreached: event({
    ...OF_TICKET,
    name: 'ticket.sla_breached',
    description: 'A target was missed; once for each clock and cycle.',
    context: { metric: 'first_response, next_response or resolution.', due_at: 'When it was due.' },
  }),
  rated: event({ ...OF_TICKET, name: 'ticket.rated', description: 'The requester rated the support.' }),
  solved: event({ ...BY_WRITE, name: 'ticket.solved', description: 'A ticket was solved.', internal: true }),
  escalated: event({ ...OF_TICKET, name: 'ticket.escalated', description: 'A target of a ticket was missed.', internal: true }),
});
