import { event } from '../../../kit/index.js';
import { ContactDto } from './contacts.dto.js';

export const ContactEvents = {
  contactCreated: event({ name: 'contact.created', description: 'A contact was created, directly or from a lead.', payload: ContactDto }),
  contactUpdated: event({ name: 'contact.updated', description: 'A contact was changed.', payload: ContactDto }),
};
