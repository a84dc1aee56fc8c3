import { defineEvents, event } from '../../../kit/index.js';
import { RequesterDto } from './requesters.dto.js';

export const RequesterEvents = defineEvents({
  requesterUpdated: event({
    name: 'requester.updated',
    description: 'Name, contact or custom fields of a requester changed.',
    permission: 'desk.ticket.manage',
    scope: 'desk:ticket:write',
    payload: RequesterDto,
  }),
});
