import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestApp, type TestApp } from '../../../../test/harness/app.js';
import type { Workspace } from '../../../../test/harness/workspace.js';
import { Contexts, type Ctx } from '../../../kit/index.js';
import type { Employee } from '../model/employee.entity.js';
import { EmployeeImport } from './employee-import.service.js';
import { EmployeesService } from './employees.service.js';

let app: TestApp;
let workspace: Workspace;
let employees: EmployeesService;
let foreign: Employee;

beforeAll(async () => {
  app = await createTestApp();
  workspace = await app.workspace();
  employees = app.app.get(EmployeesService);
  foreign = await employees.create(of(null), {
    project_id: workspace.ops.id,
    number: 'F-1',
    name: 'Foreign',
    work_email: 'foreign@example.com',
    hired_on: '2020-01-01',
  });
});
afterAll(() => app.close());

/** A caller who is pinned to a project, or to none. */
function of(projectId: string | null): Ctx {
  return app.app.get(Contexts).system({ organizationId: workspace.organizationId, projectId, mode: 'live' });
}

function imported(ctx: Ctx, ...rows: string[]) {
  const bytes = Buffer.from(['number,name,hired_on,work_email,manager_number', ...rows].join('\n'));
  return app.app.get(EmployeeImport).run(ctx, { bytes, contentType: 'text/csv' }, { project_id: workspace.eng.id });
}

it('a pinned import takes no manager of another project', async () => {
  const row = 'P-1,Pinned,2020-01-01,,F-1';
  const { errors } = await imported(of(workspace.eng.id), row);
  expect(errors).toMatchObject([{ row: 1, code: 'validation_failed', param: 'manager_number' }]);
  expect(await imported(of(null), row)).toMatchObject({ imported: 1, errors: [] });
});

it('the number and the address of a hidden employee are taken, without its id', async () => {
  const pinned = of(workspace.eng.id);
  const { errors } = await imported(pinned, 'F-1,Same number,2020-01-01,,', 'P-2,Same address,2020-01-01,FOREIGN@example.com,');
  expect(errors).toMatchObject([
    { code: 'duplicate', param: 'number' },
    { code: 'duplicate', param: 'work_email' },
  ]);
  expect(JSON.stringify(errors)).not.toContain(foreign.id);
  const body = { project_id: workspace.eng.id, number: 'F-1', name: 'Same number', hired_on: '2020-01-01' };
  const refusal = (ctx: Ctx) => employees.create(ctx, body).catch((error: unknown) => error);
  const hidden = await refusal(pinned);
  expect(hidden).toMatchObject({ spec: { code: 'duplicate' }, occurrence: { param: 'number' } });
  expect(JSON.stringify(hidden)).not.toContain(foreign.id);
  expect(await refusal(of(null))).toMatchObject({ occurrence: { param: 'number', extra: { existing_id: foreign.id } } });
});
