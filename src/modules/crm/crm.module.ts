import { DomainModule, projectLookup } from '../../kit/index.js';
import { AcquisitionController } from './reports/acquisition.controller.js';
import { Acquisition } from './reports/acquisition.service.js';
import { AssignmentService } from './leads/assignment.service.js';
import { ConsentRecord } from './person/consent-record.entity.js';
import { Contact } from './contacts/contact.entity.js';
import { ContactsController } from './contacts/contacts.controller.js';
import { ContactsService } from './contacts/contacts.service.js';
import { CrmConfig } from './config/crm-config.service.js';
import { CrmLookupsController } from './lookups/crm-lookups.controller.js';
import { CrmLookups } from './lookups/crm-lookups.service.js';
import { CrmNames } from './config/crm-names.service.js';
import { CrmPipeline } from './pipelines/crm-pipeline.entity.js';
import { CrmPipelinesService } from './setup/crm-pipelines.service.js';
import { CrmProjectSetup } from './setup/crm-project-setup.js';
import { CrmSettings } from './config/crm-settings.entity.js';
import { CrmSetupService } from './setup/crm-setup.service.js';
import { CrmStage } from './pipelines/crm-stage.entity.js';
import { CrmEvents } from './crm.events.js';
import { LeadEvents } from './leads/leads.events.js';
import { CRM_GUIDE } from './crm.guide.js';
import { Deal } from './deals/deal.entity.js';
import { DealNote } from './deals/deal-note.entity.js';
import { DealNotesController } from './deals/deal-notes.controller.js';
import { DealNotes } from './deals/deal-notes.service.js';
import { DealsController } from './deals/deals.controller.js';
import { DealNames } from './deals/deal-names.service.js';
import { DealsService } from './deals/deals.service.js';
import { LeadAssignmentRule } from './assignment/lead-assignment-rule.entity.js';
import { LeadConversionService } from './leads/lead-conversion.service.js';
import { LeadScoringService } from './scoring/lead-scoring.service.js';
import { LeadSource } from './config/lead-source.entity.js';
import { Lead } from './leads/lead.entity.js';
import { LeadsController } from './leads/leads.controller.js';
import { LeadsService } from './leads/leads.service.js';
import { OrgCrmPipelinesController } from './setup/org-crm-pipelines.controller.js';
import { OrgCrmSetupController } from './setup/org-crm-setup.controller.js';
import { OrgLeadScoringController } from './scoring/org-lead-scoring.controller.js';
import { OrgLeadsController } from './leads/org-leads.controller.js';
import { ScoreLeads } from './scoring/score-leads.job.js';
import { CRM_DEMO } from './crm.demo.js';
import { CRM_TRIGGERS } from './crm.triggers.js';
import { CRM_PERSONAL_DATA } from './crm.personal-data.js';

/**
 * Leads, contacts and deals of a project.
 * - `fields/` limits, and the ids in examples
 * - `pipelines/` pipelines, their stages and what a stage means
 * - `custom-fields/` definitions and the validation of values
 * - `assignment/` the rules that choose the owner of a new lead
 * - `config/` all that is configured for a project, read from memory
 * - `lookups/` the lists that writers take ids from
 * - `setup/` how a project's configuration is changed
 * - `person/` what leads and contacts have in common: names, addresses, consent
 * - `contacts/`, `deals/`, `leads/` one resource each
 * - `scoring/` the job that scores leads
 * - `reports/` where leads come from
 */
@DomainModule({
  name: 'crm',
  title: 'CRM',
  guide: CRM_GUIDE,
  agentWords: {
    search: {
      contact: 'customer client person people company address_book phone_number phone email e_mail mail',
      lead: 'prospect enquiry inquiry interested asked newcomer website web_form contact_form online_form',
      convert_lead: 'turn qualify qualified customer client contact',
      update_lead: 'disqualify lost interested',
      deal: 'opportunity sale pipeline',
      update_deal: 'won win lost lose',
      deal_note: 'memo remark write_down call conversation said told phone meeting prospect spoke talk coffee lunch visit',
      stage: 'phase step board',
      pipeline: 'funnel board',
      deal_stage: 'sale',
      lead_source: 'origin channel where_from come_from',
      custom_field: 'extra additional own attribute',
      crm_member: 'owner salesperson salespeople seller rep responsible',
      acquisition_report:
        'statistic statistics analytics marketing come_from where origin per_month campaign enquiry inquiry how_many bring bring_in ' +
        'newsletter advert',
      create_contact: 'phoned called rang caller interested save company sell_to business_card met potential_customer potential',
      create_deal_note: 'log i_phoned phoned',
      list_deal: 'stand progress money worth value forecast expect in_the_pipeline how_many',
    },
    arguments: {
      assignee: ['owner_id'],
      owner: ['owner_id'],
      name: ['full_name'],
      status: ['stage_id'],
      stage: ['stage_id', 'status_id'],
      deadline: ['expected_close_on'],
    },
  },
  scopes: {
    'crm:lead:read': 'Read leads',
    'crm:lead:write': 'Change and convert leads',
    'crm:contact:read': 'Read contacts',
    'crm:contact:write': 'Create and change contacts',
    'crm:deal:read': 'Read deals and their notes',
    'crm:deal:write': 'Create and change deals, and add notes',
    'crm:config:read': 'Read projects, pipelines, stages, lead statuses, sources, custom fields and members',
  },
  permissions: {
    'org.crm.manage': {
      title: 'Set up pipelines, lead sources, custom fields and assignment rules of the CRM, and score leads',
      roles: ['admin'],
    },
    'org.marketing.leads.manage': { title: 'See, create, import and delete leads, and see their consent log', roles: ['admin'] },
    'crm.contact.view': { title: 'See contacts', roles: ['admin', 'member'] },
    'crm.contact.manage': { title: 'Create and change contacts', roles: ['admin', 'member'] },
    'crm.deal.view': { title: 'See deals', roles: ['admin', 'member'] },
    'crm.deal.manage': { title: 'Create and change deals', roles: ['admin', 'member'] },
  },
  apiOnly: [
    {
      names: [
        ['Pipelines', 'create_org_crm_pipeline'],
        ['sources', 'create_org_crm_source'],
        ['fields', 'create_org_crm_custom_field'],
      ],
      text: 'stages of deals, where leads come from, and fields of your own',
    },
    { names: [['Assignment rules', 'create_org_crm_assignment_rule']], text: 'who gets which lead' },
    { names: [['Leads', 'list_org_leads']], text: 'list, import, score, and their consent log' },
  ],
  entities: [Lead, Contact, Deal, DealNote, ConsentRecord, CrmPipeline, CrmStage, LeadSource, LeadAssignmentRule, CrmSettings],
  personalData: CRM_PERSONAL_DATA,
  controllers: [
    projectLookup('/api/v1/ext/crm/projects', 'list_crm_projects', { scope: 'crm:config:read' }),
    LeadsController,
    ContactsController,
    DealsController,
    DealNotesController,
    CrmLookupsController,
    OrgCrmPipelinesController,
    OrgCrmSetupController,
    OrgLeadsController,
    OrgLeadScoringController,
    AcquisitionController,
  ],
  providers: [
    LeadsService,
    LeadConversionService,
    LeadScoringService,
    Acquisition,
    ContactsService,
    DealsService,
    DealNames,
    DealNotes,
    AssignmentService,
    CrmConfig,
    CrmLookups,
    CrmNames,
    CrmPipelinesService,
    CrmSetupService,
    CrmProjectSetup,
  ],
  exports: [LeadsService, LeadConversionService, ContactsService, DealsService, CrmConfig, CrmSetupService],
  events: CrmEvents,
  restorable: [{ entity: Lead, deletedBy: 'delete_org_lead', shownBy: 'get_lead', event: LeadEvents.leadRestored }],
  triggers: CRM_TRIGGERS,
  jobs: [ScoreLeads],
  projectSetup: CrmProjectSetup,
  demo: CRM_DEMO,
})
export class CrmModule {}
