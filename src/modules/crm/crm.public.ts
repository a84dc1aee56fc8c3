// What other modules may use of this one.
export { answeredChannels, recordConsent, type ConsentFlags } from './consent.js';
export { CrmConfig } from './crm-config.service.js';
export { normalizeEmail, normalizeExternalId, normalizePhone } from './lead-identity.js';
export { Lead } from './lead.entity.js';
export { CreateLeadDto, LeadDto, UpdateLeadDto } from './leads.dto.js';
export { LeadsService, type LeadInput } from './leads.service.js';
