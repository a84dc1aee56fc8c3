import { event } from '../../../kit/index.js';
import { LeadDto } from './leads.dto.js';

const permission = 'org.marketing.leads.manage';
/** A key of this module can change leads, but neither create nor delete them. */
const scope = 'crm:lead:write';

/** One change of a lead emits one event: `lead.status_changed` when the status changed, whatever else changed with it. */
export const LeadEvents = {
  leadCreated: event({ name: 'lead.created', description: 'A lead was created.', permission, payload: LeadDto }),
  leadUpdated: event({
    name: 'lead.updated',
    description: 'A lead was changed or submitted again but kept its status.',
    permission,
    scope,
    payload: LeadDto,
  }),
  leadStatusChanged: event({
    name: 'lead.status_changed',
    description: 'A lead moved to another status; other fields may have changed too.',
    permission,
    scope,
    payload: LeadDto,
    context: { from: 'The status before: id and kind.', to: 'The status now: id and kind.' },
  }),
  leadConverted: event({
    name: 'lead.converted',
    description: 'A lead was converted to a contact and, on request, a deal.',
    permission,
    scope,
    payload: LeadDto,
    context: { contact_id: 'The contact.', deal_id: 'The deal, or null.' },
  }),
  leadDeleted: event({
    name: 'lead.deleted',
    description: 'A lead was deleted; the object is its last state.',
    permission,
    payload: LeadDto,
  }),
  leadRestored: event({ name: 'lead.restored', description: 'A deleted lead was restored.', permission, payload: LeadDto }),
};
