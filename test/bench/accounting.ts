// npm run bench:accounting [-- --rounds 5 --seconds 4 --only issue --rows 1000000]
// Compares issuing invoices with a Fastify route that writes the same rows, and reports over a million lines with those over 10,000.
import 'reflect-metadata';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../../src/platform/persistence/embedded-postgres/embedded-postgres.js';
import { EXT_ACCOUNTING } from '../kit/accounting-fixture.js';
import { databaseUrl, onServer } from '../kit/database-server.js';
import { seedAccounting, type AccountingTenant, type AccountingTenants } from './accounting-seed.js';
import { createBareIssue } from './accounting-sql.js';
import { cpuOfPostgres } from './cpu.js';
import { compare, load, warmUp, type Workload } from './load.js';
import { printComparison, printHeading, type ReportLine } from './report.js';
import { MEASURED_SETTINGS, buildFloor, OURS, startServer, type Server } from './server.js';

const FEW = 10_000;
/** All of them issue in one series. */
const CLIENTS = 20;
const ISSUE_GOAL = 0.5;
/** A report over a million lines may cost at most this much more than one over 10,000. */
const GROWTH_GOAL = 0.95;
const WARM_UP_REQUESTS = 1_000;
/** Invoices that a server issues in a second, at most. */
const FASTEST = 2_000;

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

const dataDir = mkdtempSync(join(tmpdir(), 'work-suite-bench-accounting-'));
const postgres = await startEmbeddedPostgres(dataDir);
const running: Server[] = [];
try {
  await onServer(postgres.url, 'CREATE DATABASE accounting');
  await run(databaseUrl(postgres.url, 'accounting'));
} finally {
  for (const server of running) await server.stop();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function run(url: string): Promise<void> {
  const env = { ...MEASURED_SETTINGS, DATABASE_URL: url, DATA_DIR: dataDir };
  // the first start creates the tables
  await (await startServer(OURS, env)).stop();
  await createBareIssue(url);
  const drafts = WARM_UP_REQUESTS + FASTEST * (effort.rounds * effort.seconds + 4);
  const tenants = await seedAccounting(url, env, { drafts, few: FEW, many: MANY });
  const floor = await startServer(buildFloor('floor-accounting'), { DATABASE_URL: url });
  running.push(floor);
  // what listens to internal events runs after the request, in workers
  const ours = await startServer(OURS, { ...env, APP_ROLE: 'api' });
  running.push(ours);
  console.log(`node ${process.version}, ${cpus().length} cores (${cpus()[0].model}), load average ${load()}`);
  printHeading('base: a Fastify route with the same statements, or the product with 10,000 lines (ratio of CPU time then)');
  const database = cpuOfPostgres(dataDir);
  for (const { base, ours: measured, ...line } of comparisons(floor, ours, tenants)) {
    if (!line.name.includes(asked.only)) continue;
    for (const workload of [base, measured]) await warmUp(workload, database, WARM_UP_REQUESTS);
    printComparison(line, await compare(base, measured, database, effort));
  }
  console.log(`\nload average ${load()}`);
}

function comparisons(floor: Server, ours: Server, tenants: AccountingTenants): Comparison[] {
  const issue = (server: Server, prefix: string, tenant: AccountingTenant): Workload => ({
    server,
    headers: { authorization: tenant.authorization },
    connections: CLIENTS,
    requests: [{ method: 'POST', path: prefix }],
    nextPath: nextOf(prefix, tenant.drafts),
    isExpected: (body) => typeof (body as { number?: unknown }).number === 'string',
  });
  const report = (name: string, tenant: AccountingTenant): Workload => ({
    server: ours,
    headers: { authorization: tenant.authorization },
    requests: [{ path: `${EXT_ACCOUNTING}/${name}` }],
    isExpected: (body) => typeof (body as { object?: unknown }).object === 'string',
  });
  const growth = (name: string, path: string): Comparison => ({
    name: `${name}, ${MANY.toLocaleString('en')} / 10,000`,
    goal: GROWTH_GOAL,
    byCost: true,
    base: report(path, tenants.few),
    ours: report(path, tenants.many),
  });
  return [
    {
      name: `issue, ${CLIENTS} clients, one series`,
      goal: ISSUE_GOAL,
      base: issue(floor, '/invoices', tenants.floor),
      ours: issue(ours, `${EXT_ACCOUNTING}/invoices`, tenants.ours),
    },
    growth('trial balance', 'reports/trial-balance'),
    growth('balance sheet', 'reports/balance-sheet'),
    growth('list of entries', 'journal-entries?limit=25'),
  ];
}

function nextOf(prefix: string, drafts: readonly string[]): () => string {
  let next = 0;
  return () => {
    if (next === drafts.length) throw new Error('More invoices were issued than there are drafts; raise FASTEST.');
    return `${prefix}/${drafts[next++]}/issue`;
  };
}
