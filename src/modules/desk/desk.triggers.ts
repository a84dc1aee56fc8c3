import type { EventTriggers, TriggerStep } from '../../kit/index.js';

const ticket = (as: string): TriggerStep => ({
  call: 'create_ticket',
  body: {
    subject: 'Triggered {unique}',
    requester: { email: 'ada-{unique}@customer.example', name: 'Ada' },
    message: 'The printer does not print.',
    notify: false,
  },
  as,
});
const CREATE = ticket('ticket');
const params = { id: '{ticket.id}' };
const SOLVE: readonly TriggerStep[] = [
  CREATE,
  { call: 'list_ticket_statuses', query: { project_id: '{ticket.project_id}' }, as: 'statuses' },
  { call: 'list_ticket_agents', query: { project_id: '{ticket.project_id}', active: 'true' }, as: 'agents' },
  {
    call: 'update_ticket',
    params,
    body: { assignee_id: '{agents.data.0.id}', status_id: '{statuses.data[category=solved].id}' },
  },
];

/** How `work-suite trigger` causes the events of the service desk. */
export const DESK_TRIGGERS: EventTriggers = {
  'ticket.created': [CREATE],
  'ticket.updated': [CREATE, { call: 'update_ticket', params, body: { priority: 'urgent' } }],
  'ticket.status_changed': SOLVE,
  'ticket.solved': SOLVE,
  'ticket.message_added': [CREATE, { call: 'add_ticket_note', params, body: { body: 'Triggered {unique}' } }],
  'ticket.sla_breached': [{ ...ticket('ticket'), daysAgo: 7 }, { job: 'desk.report_breaches' }],
  'ticket.merged': [CREATE, ticket('other'), { call: 'merge_ticket', params, body: { into_id: '{other.id}' } }],
  'requester.updated': [
    CREATE,
    { call: 'list_requesters', query: { email: '{ticket.requester.email}', project_id: '{ticket.project_id}' }, as: 'requesters' },
    { call: 'update_requester', params: { id: '{requesters.data.0.id}' }, body: { name: 'Ada {unique}' } },
  ],
};
