import { defineErrors } from '../../../kit/index.js';

export { duplicateOf, invalid } from '../../../kit/index.js';

/** Errors specific to the service desk. */
export const DeskErrors = defineErrors({
  ticketClosed: {
    code: 'ticket_closed',
    type: 'conflict_error',
    status: 409,
    message: 'The ticket is closed and cannot be changed; what its requester writes becomes a new ticket that follows it up.',
    description: 'Create a new ticket with create_ticket; what the requester writes becomes one that follows it up.',
  },
  mergeRefused: {
    code: 'merge_refused',
    type: 'conflict_error',
    status: 409,
    message: 'Only two different tickets of one project can be merged, and neither may be closed.',
    description: 'Choose two different tickets of one project, neither of them closed.',
  },
  assigneeRequired: {
    code: 'assignee_required',
    type: 'invalid_request_error',
    status: 400,
    message: 'A solved ticket must have an assignee: set assignee_id with update_ticket, to an id of list_ticket_agents.',
  },
  invalidTransition: {
    code: 'invalid_transition',
    type: 'invalid_request_error',
    status: 400,
    message: 'The ticket cannot get this status from its current one.',
    description: 'Choose one of the statuses in allowed.',
  },
});
