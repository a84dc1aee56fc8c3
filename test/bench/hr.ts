// npm run bench:hr [-- --rounds 5 --seconds 4 --only chart --rows 1000000]
// Compares the list of people and the org chart with a floor on the same tables, and reads of a million people with those of 10,000.
import { EXT_HR } from '../../src/modules/hr/testing/hr-fixture.js';
import { seedHr, type HrTenant, type HrTenants } from './hr-seed.js';
import type { Workload } from './load.js';
import { benchModule, FEW, GROWTH_GOAL, MANY, type Comparison, type Servers } from './module-bench.js';
import type { Server } from './server.js';

const LIST_GOAL = 0.95;
const CHART_GOAL = 0.5;

await benchModule({
  name: 'hr',
  heading: 'base: the same reads on the floor, or the product with 10,000 people (ratio of CPU time then)',
  seed: (url, env) => seedHr(url, env, { few: FEW, many: MANY }),
  comparisons: (servers, tenants) => [...besideFloor(servers, tenants.few), ...reads(servers.ours, tenants)],
});

function besideFloor({ floor, ours }: Servers, { authorization, organizationId, rootId }: HrTenant): Comparison[] {
  const read = (server: Server, path: string, of: 'data' | 'nodes', count: number): Workload => ({
    server,
    headers: { authorization },
    requests: [{ path }],
    isExpected: (answer) => (answer as Record<string, unknown[]>)[of].length === count,
  });
  return [
    {
      name: 'people by name',
      goal: LIST_GOAL,
      base: read(floor, `/employees?organization_id=${organizationId}`, 'data', 25),
      ours: read(ours, `${EXT_HR}/employees`, 'data', 25),
    },
    {
      name: `org chart of ${FEW.toLocaleString('en')}`,
      goal: CHART_GOAL,
      // one, 20 and 400 people less those who left
      base: read(floor, `/org-chart?root_id=${rootId}`, 'nodes', 421),
      ours: read(ours, `${EXT_HR}/org-chart?depth=3&root_id=${rootId}`, 'nodes', 421),
    },
  ];
}

function reads(ours: Server, { few, many }: HrTenants): Comparison[] {
  const list = (tenant: HrTenant, path: string, least: number): Workload => ({
    server: ours,
    headers: { authorization: tenant.authorization },
    requests: [{ path: `${EXT_HR}/${path}` }],
    isExpected: (body) => (body as { data: unknown[] }).data.length >= least,
  });
  const paths: readonly (readonly [name: string, path: (tenant: HrTenant) => string, least: number])[] = [
    ['people by name', () => 'employees', 25],
    ['people by number, descending', () => 'employees?sort=-number', 25],
    ['people by first day', () => 'employees?sort=hired_on', 25],
    ['people of a department', ({ departmentId }) => `employees?department_id=${departmentId}`, 25],
    ['reports of somebody', ({ managerId }) => `employees?manager_id=${managerId}`, 1],
    ['somebody by work e-mail', () => 'employees?work_email=p77@example.com', 1],
    ['somebody by number', () => 'employees?number=77', 1],
    ['people who left', () => 'employees?status=left', 25],
    ['who is away in a week', () => 'absences?from=2026-06-01&to=2026-06-07', 25],
    ['who is away in a department', ({ departmentId }) => `absences?from=2026-01-01&to=2026-12-31&department_id=${departmentId}`, 25],
    ['leave of somebody', ({ managerId }) => `leave-requests?employee_id=${managerId}`, 1],
    ['leave of a type in a month', ({ typeId }) => `leave-requests?leave_type_id=${typeId}&from=2026-06-01&to=2026-06-30`, 25],
    ['undecided leave', () => 'leave-requests?status=pending', 25],
    ['balances of somebody', ({ managerId }) => `leave-balances?employee_id=${managerId}`, 1],
    ['balances of a type', ({ typeId }) => `leave-balances?leave_type_id=${typeId}`, 25],
  ];
  return paths.map(([name, path, least]) => ({
    name: `${name}, ${MANY.toLocaleString('en')}`,
    goal: GROWTH_GOAL,
    byCost: true,
    base: list(few, path(few), least),
    ours: list(many, path(many), least),
  }));
}
