import type { ModuleContract } from '../../../../test/contract/module-contract.js';
import { Staff } from './hr-fixture.js';
import type { TestApp } from '../../../../test/harness/test-app.js';
import type { Workspace } from '../../../../test/harness/workspace.js';
import { takenValues } from './taken-values.js';

export const contract: ModuleContract = {
  operations: `
    list_employees get_employee get_org_chart list_departments list_holidays list_absences list_leave_types list_leave_requests
    get_leave_request list_leave_balances
  `,
  withoutUndo: ['delete_org_holiday', 'delete_org_holiday_calendar', 'delete_org_leave_type'],
  emailFields: [
    'PATCH /api/v1/org/hr/employees/{id} work_email (email)',
    'PATCH /api/v1/org/hr/employees/{id}/private private_email (email)',
    'POST /api/v1/org/hr/employees work_email (email)',
  ],
  rarelySucceed: {
    list_absences: 'Most pairs of days are more than a year apart or in the wrong order.',
  },
  prepare,
  takenValues,
};

/** People with leave, whom keys only read. */
async function prepare(app: TestApp, workspace: Workspace): Promise<void> {
  for (const mode of ['live', 'test'] as const) {
    const staff = await Staff.open(app, { workspace, mode });
    const { id: department_id } = await staff.department(`Department ${mode}`);
    for (let count = 0; count < 3; count++) {
      const employee = await staff.employee({ department_id });
      await staff.leave(employee, 'Unpaid leave', '2027-03-01', '2027-03-05');
      await staff.leave(employee, 'Sick leave', '2027-04-05', '2027-04-06');
    }
  }
}
