import { upload, type TakenValues } from '../../../../test/contract/taken-values.js';
import type { TestApp } from '../../../../test/harness/test-app.js';
import { ORG_HR, Staff } from './hr-fixture.js';

export async function takenValues(app: TestApp): Promise<TakenValues> {
  const staff = await Staff.open(app);
  return {
    requests: {
      create_org_employee: {
        table: 'hr_employees',
        value: { number: 'X-1' },
        ready: async () => ({
          id: (await staff.employee()).id,
          send: () =>
            staff.screen.post(`${ORG_HR}/employees`, { project_id: staff.project, name: 'Ada', hired_on: '2020-01-01', number: 'X-1' }),
        }),
      },
    },
    imports: {
      employees: {
        table: 'hr_employees',
        value: { number: 'X-3' },
        ready: async () => ({
          id: (await staff.employee()).id,
          send: () =>
            upload(staff.screen, `${ORG_HR}/employees/import`, staff.project, [
              'number,name,hired_on',
              'X-2,First,2020-01-01',
              'X-3,Second,2020-01-01',
            ]),
        }),
      },
    },
  };
}
