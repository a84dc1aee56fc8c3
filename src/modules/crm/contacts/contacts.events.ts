import { event } from '../../../kit/index.js';
import { ContactDto } from './contacts.dto.js';

const permission = 'crm.contact.view';
const scope = 'crm:contact:write';

export const ContactEvents = {
  contactCreated: event({
    name: 'contact.created',
    description: 'A contact was created, directly or from a lead.',
    permission,
    scope,
    payload: ContactDto,
  }),
  contactUpdated: event({ name: 'contact.updated', description: 'A contact was changed.', permission, scope, payload: ContactDto }),
};
