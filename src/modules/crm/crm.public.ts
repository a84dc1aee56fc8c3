// What other modules may use of this one.
export { answeredChannels, recordConsent, type ConsentFlags } from './consent.js';
export { ContactsService } from './contacts.service.js';
export { CrmConfig, customFieldsOf, requirePipeline, requireSource, requireStage, type ProjectConfig } from './crm-config.service.js';
export { CrmSetupService } from './crm-setup.service.js';
export { CrmModule } from './crm.module.js';
export { seedCrm, setUpCrmDemo } from './crm.demo.js';
export { mergeCustomFields } from './custom-fields.js';
export { DealsService } from './deals.service.js';
export { LeadConversionService } from './lead-conversion.service.js';
export { normalizeEmail, normalizeExternalId, normalizePhone, requireAddress } from './lead-identity.js';
export { Lead } from './lead.entity.js';
export { CreateLeadDto, LeadDto, UpdateLeadDto } from './leads.dto.js';
export { LeadsService, type LeadInput } from './leads.service.js';
