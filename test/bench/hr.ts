// npm run bench:hr [-- --rounds 5 --seconds 4 --only chart --rows 1000000]
// Compares the list of people and the org chart with a floor on the same tables, and reads of a million people with those of 10,000.
import 'reflect-metadata';
import { rmSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { newDataDir } from '../kit/data-dir.js';
import { startEmbeddedPostgres } from '../../src/platform/persistence/embedded-postgres/embedded-postgres.js';
import { databaseUrl, onServer } from '../kit/database-server.js';
import { EXT_HR } from '../kit/hr-fixture.js';
import { cpuOfPostgres } from './cpu.js';
import { seedHr, type HrTenant, type HrTenants } from './hr-seed.js';
import { compare, load, warmUp, type Workload } from './load.js';
import { printComparison, printHeading, type ReportLine } from './report.js';
import { MEASURED_SETTINGS, buildFloor, OURS, startServer, type Server } from './server.js';

const FEW = 10_000;
const LIST_GOAL = 0.95;
const CHART_GOAL = 0.5;
/** A read among a million rows may cost at most this much more than one among 10,000. */
const GROWTH_GOAL = 0.95;
const WARM_UP_REQUESTS = 1_000;

const { values: asked } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    only: { type: 'string', default: '' },
    rows: { type: 'string', default: '1000000' },
  },
});
const MANY = Number(asked.rows);
const effort = { rounds: Number(asked.rounds), seconds: Number(asked.seconds) };

interface Comparison extends ReportLine {
  base: Workload;
  ours: Workload;
}

const dataDir = newDataDir('bench-hr');
const postgres = await startEmbeddedPostgres(dataDir);
const running: Server[] = [];
try {
  await onServer(postgres.url, 'CREATE DATABASE hr');
  await run(databaseUrl(postgres.url, 'hr'));
} finally {
  for (const server of running) await server.stop();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function run(url: string): Promise<void> {
  const env = { ...MEASURED_SETTINGS, DATABASE_URL: url, DATA_DIR: dataDir };
  // the first start creates the tables
  await (await startServer(OURS, env)).stop();
  const tenants = await seedHr(url, env, { few: FEW, many: MANY });
  const { organizationId, rootId } = tenants.few;
  const floor = await startServer(buildFloor('floor-hr'), { DATABASE_URL: url, FLOOR_ORGANIZATION: organizationId, FLOOR_ROOT: rootId });
  running.push(floor);
  const ours = await startServer(OURS, env);
  running.push(ours);
  console.log(`node ${process.version}, ${cpus().length} cores (${cpus()[0].model}), load average ${load()}`);
  printHeading('base: the same reads on the floor, or the product with 10,000 people (ratio of CPU time then)');
  const database = cpuOfPostgres(dataDir);
  for (const { base, ours: measured, ...line } of [...besideFloor(floor, ours, tenants.few), ...reads(ours, tenants)]) {
    if (!line.name.includes(asked.only)) continue;
    for (const workload of [base, measured]) await warmUp(workload, database, WARM_UP_REQUESTS);
    printComparison(line, await compare(base, measured, database, effort));
  }
  console.log(`\nload average ${load()}`);
}

function besideFloor(floor: Server, ours: Server, { authorization, rootId }: HrTenant): Comparison[] {
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
      base: read(floor, '/employees', 'data', 25),
      ours: read(ours, `${EXT_HR}/employees`, 'data', 25),
    },
    {
      name: `org chart of ${FEW.toLocaleString('en')}`,
      goal: CHART_GOAL,
      // one, 20 and 400 people less those who left
      base: read(floor, '/org-chart', 'nodes', 421),
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
