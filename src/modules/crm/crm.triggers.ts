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
const LEADS: readonly TriggerStep[] = [{ call: 'list_leads', query: { limit: '1' }, as: 'leads' }];
const lead = { id: '{leads.data.0.id}' };

/** How `work-suite trigger` causes the events of the CRM. Keys create no leads, so it changes the newest one. */
export const CRM_TRIGGERS: EventTriggers = {
  'contact.created': [CONTACT],
  'contact.updated': [CONTACT, { call: 'update_contact', params: { id: '{contact.id}' }, body: { job_title: 'Engineer' } }],
  'deal.created': DEAL,
  'deal.updated': [...DEAL, { call: 'update_deal', params, body: { title: 'Changed {unique}' } }],
  'deal.stage_changed': WIN,
  'deal.won': WIN,
  'lead.updated': [...LEADS, { call: 'update_lead', params: lead, body: { job_title: 'Engineer {unique}' } }],
};
