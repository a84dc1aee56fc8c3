// What other modules may import from this one.
export { answeredChannels } from './person/consent.js';
export { recordConsent } from './person/record-consent.js';
export { Contact } from './contacts/contact.entity.js';
export { ContactsService } from './contacts/contacts.service.js';
export { CrmConfig, requirePipeline, requireSource, requireStage, type ProjectConfig } from './config/crm-config.service.js';
export { CrmModule } from './crm.module.js';
export { Deal } from './deals/deal.entity.js';
export { leadFieldsOf } from './custom-fields/custom-fields.js';
export { normalizeEmail, normalizeExternalId, normalizePhone, requireAddress } from './person/person-identity.js';
export { Lead } from './leads/lead.entity.js';
export { LeadDto, UpdateLeadDto } from './leads/leads.dto.js';
export { LeadEvents } from './leads/leads.events.js';
export { LeadsService, type LeadInput } from './leads/leads.service.js';
