// What other modules and tests may use of this one.
export { DeskModule } from './desk.module.js';
export { Requester } from './model/requester.entity.js';
export { RequesterMessages } from './tickets/requester-messages.service.js';
export { Ticket } from './model/ticket.entity.js';
export { TicketSubmissionBody } from './tickets/ticket-submission.dto.js';
export { TicketsService } from './tickets/tickets.service.js';
