import { event } from '../../../kit/index.js';
import { ContactDto } from './contacts.dto.js';

const permission = 'org.crm.manage';

export const ContactEvents = {
  contactCreated: event({
    name: 'contact.created',
    description: 'A contact was created, directly or from a lead.',
    permission,
    payload: ContactDto,
  }),
  contactUpdated: event({ name: 'contact.updated', description: 'A contact was changed.', permission, payload: ContactDto }),
};
