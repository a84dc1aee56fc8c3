import { describeModule } from '../../../test/contract/module/describe-module.js';
import { sharedApp } from '../../../test/harness/hosted-app.js';
import { ORG_HR } from './testing/hr-fixture.js';
import type { SampleContext } from '../../../test/contract/module/module-samples.js';

// keys only read, so members make what the routes return
async function made({ workspace, mode }: SampleContext, path: string, body: object): Promise<string> {
  const screen = await workspace.signIn();
  const answer = await screen.post(`${ORG_HR}/${path}`, body, { 'svc-mode': mode });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body.id as string;
}

const employee = (context: SampleContext) =>
  made(context, 'employees', { project_id: context.project.id, name: 'Mei Tanaka', number: context.unique(), hired_on: '2024-01-01' });

/** The id of the leave type of a project that needs no balance. */
async function unpaid({ workspace }: SampleContext, projectId: string): Promise<string | undefined> {
  const screen = await workspace.signIn();
  const { data } = (await screen.get(`${ORG_HR}/leave-types`)).body as { data: { id: string; name: string; project_id: string }[] };
  return data.find(({ name, project_id }) => name === 'Unpaid leave' && project_id === projectId)?.id;
}

async function leave(context: SampleContext): Promise<string> {
  const days = { starts_on: '2027-03-01', ends_on: '2027-03-05' };
  const leave_type_id = await unpaid(context, context.project.id);
  return made(context, 'leave-requests', { employee_id: await employee(context), leave_type_id, ...days });
}

let mondays = 0;

/** A day on which nobody has asked for leave. */
function nextMonday() {
  const day = new Date(Date.UTC(2027, 2, 1 + 7 * mondays++)).toISOString().slice(0, 10);
  return { starts_on: day, ends_on: day };
}

await describeModule(await sharedApp(), 'hr', {
  anyMember: {
    list_org_hr_custom_fields: 'Definitions are no data of people, and other modules list theirs to any member.',
    get_my_employee: 'It shows the member.',
    list_my_leave_balances: "They are the member's own.",
    list_my_leave_requests: "They are the member's own.",
    create_my_leave_request: "It is the member's own.",
    list_my_reports: 'They report to the member.',
    list_leave_requests_of_my_reports: 'They are of those who report to the member.',
    approve_org_leave_request: 'Managers decide without a permission; others need hr.leave.decide.',
    reject_org_leave_request: 'Managers decide without a permission; others need hr.leave.decide.',
    withdraw_org_leave_request: 'Members withdraw their own; others need hr.leave.decide.',
    list_org_leave_types: 'Members choose one when they request leave.',
    list_org_holiday_calendars: 'Everybody sees the days off.',
    list_org_holidays: 'Everybody sees the days off.',
  },
  samples: {
    list_absences: () => ({ from: '2027-03-01', to: '2027-03-07' }),
    // the owner requests leave
    create_org_employee: ({ workspace, project }) => (project.id === workspace.eng.id ? { member_id: workspace.owner.id } : {}),
    create_org_leave_request: nextMonday,
    create_my_leave_request: async (context) => ({ leave_type_id: await unpaid(context, context.workspace.eng.id), ...nextMonday() }),
  },
  resources: {
    '/employees/{id}': { make: employee },
    '/leave-requests/{id}': { make: leave },
  },
  // a leak that only these show passes the checks
  unreached: [
    'list_employees department_id',
    'list_employees manager_id',
    'list_employees work_email',
    'list_employees number',
    'list_employees member_id',
    'list_employees q',
    'get_org_chart root_id',
    'list_departments name',
    'list_holidays employee_id',
    'list_absences',
    'list_leave_requests employee_id',
    'list_leave_balances employee_id',
    'employee.status upcoming',
    'employee.status left',
    'leave_request.status approved',
    'leave_request.status rejected',
  ],
});
