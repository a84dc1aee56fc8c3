/** The permissions of the product plane, with descriptions. */
export const PERMISSIONS = {
  'org.owners.manage': 'Appoint, change and remove owners',
  'org.members.manage': 'Add people, change their roles, deactivate them',
  'org.projects.manage': 'Create, rename and archive projects, and set up the statuses and labels of their tasks',
  'org.developer.apikeys.manage': 'Create, change, roll and revoke API keys, and authorize MCP clients',
  'org.developer.webhooks.manage': 'Set up webhook endpoints, see and replay deliveries',
  'org.developer.mail.view': 'See the mails that were sent, and those that were not',
  'org.developer.logs.view': 'See the request log and its analytics',
  'org.developer.testdata.erase': 'Erase what test keys created',
  'org.developer.leadkeys.create': 'Create, change and roll lead-webhook keys',
  'org.developer.leadkeys.delete': 'Revoke lead-webhook keys',
  'org.developer.leadkeys.view': 'See lead-webhook keys',
  'org.developer.leadkeys.logs.view': 'See the requests of lead-webhook keys',
  'tasks.task.view': 'See tasks and their comments',
  'tasks.task.manage': 'Create, change and comment on tasks',
  'tasks.task.delete': 'Delete tasks',
  'org.crm.manage': 'Set up pipelines, lead sources, custom fields and assignment rules of the CRM, and score leads',
  'org.marketing.leads.manage': 'See, create, import and delete leads, and see their consent log',
  'crm.contact.view': 'See contacts',
  'crm.contact.manage': 'Create and change contacts',
  'crm.deal.view': 'See deals',
  'crm.deal.manage': 'Create and change deals',
  'papers.document.view': 'See documents, their comments, obligations and reports',
  'papers.document.manage': 'Create, edit, submit, finalize, send, revoke, recall, supersede, comment on and share documents',
  'papers.document.approve': 'Approve, reject and return documents',
  'papers.document.override': 'Move documents past what their lifecycle allows, and reopen them',
  'papers.setup.manage': 'Set up document types, generation triggers, forms, reports and rule packs',
  'papers.ai.run': 'Have documents summarized and their risks found, which costs credits',
  'schedule.setup.manage': 'Set up calendars, event templates, resources, availability, booking pages and feeds',
  'schedule.event.view': 'See events and their invitees',
  'schedule.event.manage': 'Create, change and delete events, and invite people',
  'schedule.booking.manage': 'See bookings, confirm, reject, cancel and reschedule them',
} as const;

export type Permission = keyof typeof PERMISSIONS;

export const ALL_PERMISSIONS = Object.freeze(Object.keys(PERMISSIONS) as Permission[]);
