// What other modules, the demo and tests may use of this one.
export { TicketChanges } from './changes/ticket-changes.js';
export { DeskModule } from './desk.module.js';
export { DeskSetup } from './setup/desk-setup.service.js';
export { RepliesService } from './tickets/replies.service.js';
export { RequesterMessages } from './tickets/requester-messages.service.js';
export { TicketUpdates } from './tickets/ticket-updates.service.js';
export { TicketSubmissionBody } from './tickets/ticket-submission.dto.js';
export { TicketsService } from './tickets/tickets.service.js';
