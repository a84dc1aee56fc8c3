import { DomainModule } from '../../kit/index.js';
import { AssignmentService } from './assignment.service.js';
import { ConsentRecord } from './consent-record.entity.js';
import { Contact } from './contact.entity.js';
import { ContactsController } from './contacts.controller.js';
import { ContactsService } from './contacts.service.js';
import { CrmConfig } from './crm-config.service.js';
import { CrmCustomField } from './crm-custom-field.entity.js';
import { CrmLookupsController } from './crm-lookups.controller.js';
import { CrmLookups } from './crm-lookups.service.js';
import { CrmPipeline } from './crm-pipeline.entity.js';
import { CrmPipelinesService } from './crm-pipelines.service.js';
import { CrmProjectSetup } from './crm-project-setup.js';
import { CrmSettings } from './crm-settings.entity.js';
import { CrmSetupService } from './crm-setup.service.js';
import { CrmStage } from './crm-stage.entity.js';
import { CrmEvents } from './crm.events.js';
import { CRM_GUIDE } from './crm.guide.js';
import { Deal } from './deal.entity.js';
import { DealsController } from './deals.controller.js';
import { DealsService } from './deals.service.js';
import { LeadAssignmentRule } from './lead-assignment-rule.entity.js';
import { LeadConversionService } from './lead-conversion.service.js';
import { LeadScoringService } from './lead-scoring.service.js';
import { LeadSource } from './lead-source.entity.js';
import { Lead } from './lead.entity.js';
import { LeadsController } from './leads.controller.js';
import { LeadsService } from './leads.service.js';
import { OrgCrmPipelinesController } from './org-crm-pipelines.controller.js';
import { OrgCrmSetupController } from './org-crm-setup.controller.js';
import { OrgLeadScoringController } from './org-lead-scoring.controller.js';
import { OrgLeadsController } from './org-leads.controller.js';
import { ScoreLeads } from './score-leads.job.js';

@DomainModule({
  name: 'crm',
  title: 'CRM',
  guide: CRM_GUIDE,
  scopes: {
    'crm:lead:read': 'Read leads',
    'crm:lead:write': 'Change and convert leads',
    'crm:contact:read': 'Read contacts',
    'crm:contact:write': 'Create and change contacts',
    'crm:deal:read': 'Read deals',
    'crm:deal:write': 'Create and change deals',
    'crm:config:read': 'Read pipelines, stages, lead statuses, sources, custom fields and members',
  },
  entities: [Lead, Contact, Deal, ConsentRecord, CrmPipeline, CrmStage, LeadSource, CrmCustomField, LeadAssignmentRule, CrmSettings],
  controllers: [
    LeadsController,
    ContactsController,
    DealsController,
    CrmLookupsController,
    OrgCrmPipelinesController,
    OrgCrmSetupController,
    OrgLeadsController,
    OrgLeadScoringController,
  ],
  providers: [
    LeadsService,
    LeadConversionService,
    LeadScoringService,
    ContactsService,
    DealsService,
    AssignmentService,
    CrmConfig,
    CrmLookups,
    CrmPipelinesService,
    CrmSetupService,
    CrmProjectSetup,
  ],
  exports: [LeadsService, LeadConversionService, ContactsService, DealsService, CrmConfig, CrmSetupService],
  events: CrmEvents,
  jobs: [ScoreLeads],
  projectSetup: CrmProjectSetup,
})
export class CrmModule {}
