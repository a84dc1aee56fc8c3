import { defineEvents } from '../../kit/index.js';
import { ContactEvents } from './contacts/contacts.events.js';
import { DealEvents } from './deals/deals.events.js';
import { LeadEvents } from './leads/leads.events.js';

/** All events of the module. */
export const CrmEvents = defineEvents({ ...LeadEvents, ...ContactEvents, ...DealEvents });
