import { event } from '../../../kit/index.js';
import { LeadDto } from './leads.dto.js';

/** One change of a lead is one event: a move to another status is `lead.status_changed` whatever else changed with it. */
export const LeadEvents = {
  leadCreated: event({ name: 'lead.created', description: 'A lead was created.', payload: LeadDto }),
  leadUpdated: event({
    name: 'lead.updated',
    description: 'A lead was changed, or handed in again, and kept its status.',
    payload: LeadDto,
  }),
  leadStatusChanged: event({
    name: 'lead.status_changed',
    description: 'A lead was moved to another status, maybe changed otherwise too.',
    payload: LeadDto,
    context: { from: 'The status before: id and kind.', to: 'The status now: id and kind.' },
  }),
  leadConverted: event({
    name: 'lead.converted',
    description: 'A lead became a contact, and a deal where one was opened.',
    payload: LeadDto,
    context: { contact_id: 'The contact.', deal_id: 'The deal, or null.' },
  }),
  leadDeleted: event({ name: 'lead.deleted', description: 'A lead was deleted; the object is the lead as it was.', payload: LeadDto }),
};
