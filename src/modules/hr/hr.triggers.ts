import type { EventTriggers, TriggerStep } from '../../kit/index.js';

// a leave type of the employee's project
const TYPES: TriggerStep = { call: 'list_leave_types', query: { limit: '1' }, as: 'types' };
const EMPLOYEE: TriggerStep = {
  call: 'create_org_employee',
  body: {
    project_id: '{types.data.0.project_id}',
    name: 'Triggered {unique}',
    work_email: 'ada-{unique}@example.com',
    position: 'Developer',
    hired_on: '2024-01-01',
  },
  as: 'employee',
};
const HIRE: readonly TriggerStep[] = [TYPES, EMPLOYEE];
// planned before the first day, which has come since
const ARRIVE: EventTriggers[string] = [TYPES, { ...EMPLOYEE, daysAgo: 3_000 }, { job: 'hr.change_statuses' }];
const params = { id: '{employee.id}' };
const REQUEST: readonly TriggerStep[] = [
  ...HIRE,
  {
    call: 'create_org_leave_request',
    body: { employee_id: '{employee.id}', leave_type_id: '{types.data.0.id}', starts_on: '2030-01-07', ends_on: '2030-01-08' },
    as: 'request',
  },
];
const APPROVE: readonly TriggerStep[] = [...REQUEST, { call: 'approve_org_leave_request', params: { id: '{request.id}' }, body: {} }];

/** How `work-suite trigger` causes the events of HR. Keys only read, so a member does what changes. */
export const HR_TRIGGERS: EventTriggers = {
  'employee.created': HIRE,
  'employee.hired': ARRIVE,
  'employee.status_changed': ARRIVE,
  'employee.updated': [...HIRE, { call: 'update_org_employee', params, body: { position: 'Architect {unique}' } }],
  'leave_request.created': REQUEST,
  'leave_request.status_changed': APPROVE,
  'leave.approved': APPROVE,
};
