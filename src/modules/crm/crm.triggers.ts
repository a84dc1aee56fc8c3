import type { EventTriggers, TriggerStep } from '../../kit/index.js';

const CONTACT: TriggerStep = {
  call: 'create_contact',
  body: { full_name: 'Ada {unique}', email: 'ada-{unique}@example.com' },
  as: 'contact',
};
const DEAL: readonly TriggerStep[] = [
  CONTACT,
  {
    call: 'create_deal',
    body: { title: 'Triggered {unique}', amount: 120_000, currency: 'EUR', contact_ids: ['{contact.id}'] },
    as: 'deal',
  },
];
const params = { id: '{deal.id}' };
const WIN: readonly TriggerStep[] = [
  ...DEAL,
  { call: 'list_deal_stages', query: { project_id: '{deal.project_id}' }, as: 'stages' },
  { call: 'update_deal', params, body: { stage_id: '{stages.data[kind=won].id}' } },
];
// keys create no leads
const LEAD: readonly TriggerStep[] = [
  CONTACT,
  {
    call: 'create_org_lead',
    body: { project_id: '{contact.project_id}', full_name: 'Grace {unique}', email: 'grace-{unique}@example.com' },
    as: 'lead',
  },
];
const lead = { id: '{lead.id}' };
const statuses: TriggerStep = { call: 'list_lead_statuses', query: { project_id: '{lead.project_id}' }, as: 'statuses' };

/** How `work-suite trigger` causes the events of the CRM. */
export const CRM_TRIGGERS: EventTriggers = {
  'contact.created': [CONTACT],
  'contact.updated': [CONTACT, { call: 'update_contact', params: { id: '{contact.id}' }, body: { job_title: 'Engineer' } }],
  'deal.created': DEAL,
  'deal.updated': [...DEAL, { call: 'update_deal', params, body: { title: 'Changed {unique}' } }],
  'deal.stage_changed': WIN,
  'deal.won': WIN,
  'lead.updated': [...LEAD, { call: 'update_lead', params: lead, body: { job_title: 'Engineer {unique}' } }],
  'lead.created': LEAD,
  'lead.status_changed': [...LEAD, statuses, { call: 'update_lead', params: lead, body: { status_id: '{statuses.data.1.id}' } }],
  'lead.converted': [...LEAD, { call: 'convert_lead', params: lead, body: {} }],
  'lead.deleted': [...LEAD, { call: 'delete_org_lead', params: lead }],
};
