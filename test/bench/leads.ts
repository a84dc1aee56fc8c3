// npm run bench:leads [-- --rounds 5 --seconds 4 --million]
// Compares leads per second through the webhook with two SQL statements on the same tables, one round trip each, without HTTP:
// the match-and-insert alone, and the same with the rows that the product guarantees for a lead (event, deliveries, log).
import 'reflect-metadata';
import autocannon from 'autocannon';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client, type Pool } from 'pg';
import { createApp } from '../../src/app.js';
import { MODULES } from '../../src/modules.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { startEmbeddedPostgres } from '../../src/platform/persistence/embedded-postgres/embedded-postgres.js';
import { databaseUrl, onServer } from '../kit/template-database.js';
import { insideOf } from '../kit/inside.js';
import { createWorkspace } from '../kit/workspace.js';
import { cpuOfPostgres, type CpuClock } from './cpu.js';
import { barePool, createBareSubmit, personOf, runBare, seedLeads, type LeadTenant } from './leads-sql.js';
import { load, median, spread } from './load.js';
import { OURS, startServer, type Server } from './server.js';

const GOAL = 0.5;
const CONNECTIONS = 10;
const WARM_UP_SECONDS = 2;
/** Leads before the first measurement; with fewer, the server still runs code that is not optimized. */
const WARM_UP_LEADS = 8_000;
const MILLION = 1_000_000;
/** The number of the first new person, far above those that are seeded. */
const FIRST_NEW = 10_000_000;
/** Known persons who submit repeatedly; enough of them to avoid lock contention. */
const KNOWN_PERSONS = 1_000;

const { values: asked } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    million: { type: 'boolean', default: false },
  },
});
const [rounds, seconds] = [Number(asked.rounds), Number(asked.seconds)];
const secret = 'only for measuring, known to all'.padEnd(32, '.');
const settings = {
  CURSOR_SECRET: secret,
  SESSION_SECRET: secret,
  ENCRYPTION_KEY: secret,
  BASE_URL: 'http://127.0.0.1',
  LOG_LEVEL: 'warn',
  RATE_LIMIT_PER_KEY: '1000000000',
  RATE_LIMIT_PER_ORGANIZATION: '1000000000',
};

interface KeyedLeadTenant extends LeadTenant {
  authorization: string;
}

interface Workload {
  server: Server;
  tenant: KeyedLeadTenant;
  /** The number of the next person. */
  next: () => number;
  pool: Pool;
  database: CpuClock;
}

interface Measured {
  rate: number;
  serverCpu: number;
  databaseCpu: number;
}

const dataDir = mkdtempSync(join(tmpdir(), 'work-suite-bench-leads-'));
const postgres = await startEmbeddedPostgres(dataDir);
const running: Server[] = [];
try {
  await onServer(postgres.url, 'CREATE DATABASE leads');
  await measure(databaseUrl(postgres.url, 'leads'));
} finally {
  for (const server of running) await server.stop();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function measure(url: string): Promise<void> {
  const env = { ...settings, DATABASE_URL: url, DATA_DIR: dataDir };
  // the first start creates the tables
  await (await startServer(OURS, env)).stop();
  await createBareSubmit(url);
  const counts = asked.million ? [0, MILLION] : [0];
  const tenants = await createTenants(url, env, counts.length);
  for (const [index, count] of counts.entries()) await seedLeads(url, tenants[index], Math.max(count, KNOWN_PERSONS));
  const server = await startServer(OURS, env);
  running.push(server);
  const pool = barePool(url);
  const database = cpuOfPostgres(dataDir);
  console.log(`node ${process.version}, ${cpus().length} cores (${cpus()[0].model}), load average ${load()}\n`);
  console.log('match: match-and-insert in SQL; rows: the same with event, deliveries and log; cpu: microseconds per lead in the server');
  console.log('(for SQL: in the client) + in PostgreSQL; the ratio by cpu hardly depends on other load on the machine\n');
  console.log(row('workload', 'match', 'rows', 'ours', 'of match', 'of rows', 'goal', 'cpu match', 'cpu rows', 'cpu ours', 'by cpu'));
  console.log(row(...Array<string>(11).fill('---')));
  await warmUp({ server, tenant: tenants[0], next: newPersons(), pool, database });
  for (const [index, count] of counts.entries()) {
    const among = count.toLocaleString('en');
    await compare(`new leads, among ${among}`, { server, tenant: tenants[index], next: newPersons(), pool, database });
    await compare(`known leads, among ${among}`, {
      server,
      tenant: tenants[index],
      next: () => Math.floor(Math.random() * KNOWN_PERSONS),
      pool,
      database,
    });
  }
  await pool.end();
  console.log(`\nload average ${load()}`);
}

/** Creates organizations through the platform, one per table size. */
async function createTenants(url: string, env: Record<string, string>, count: number): Promise<KeyedLeadTenant[]> {
  const config = loadConfig({ ...env, NODE_ENV: 'test' });
  const app = await createApp({ config, databaseUrl: url, modules: MODULES, migrations: [] });
  await app.init();
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const tenants: KeyedLeadTenant[] = [];
    for (let created = 0; created < count; created++) {
      const { organizationId, eng, key } = await createWorkspace({ url: '', inside: insideOf(app) });
      const {
        rows: [stage],
      } = await client.query<{ id: string; pipeline_id: string }>(
        `SELECT id, pipeline_id FROM crm_stages WHERE project_id = $1 AND pipeline_kind = 'lead' ORDER BY position LIMIT 1`,
        [eng.id],
      );
      const { id: keyId, secret: keySecret } = await key({
        module: 'lead_webhook',
        project_id: eng.id,
        rate_limit_per_minute: 1_000_000_000,
      });
      tenants.push({
        authorization: `Bearer ${keySecret}`,
        organizationId,
        projectId: eng.id,
        pipelineId: stage.pipeline_id,
        statusId: stage.id,
        keyId,
      });
    }
    return tenants;
  } finally {
    await client.end();
    await app.close();
  }
}

async function warmUp(workload: Workload): Promise<void> {
  for (let submitted = 0; submitted < WARM_UP_LEADS;) submitted += (await ours(workload, WARM_UP_SECONDS)).rate * WARM_UP_SECONDS;
}

/** Alternates between the variants, so that other load on the machine affects all of them. */
async function compare(name: string, workload: Workload): Promise<void> {
  const variants = {
    match: (duration: number) => bare(workload, duration, false),
    rows: (duration: number) => bare(workload, duration, true),
    ours: (duration: number) => ours(workload, duration),
  };
  for (const run of Object.values(variants)) await run(WARM_UP_SECONDS);
  const results = { match: [] as Measured[], rows: [] as Measured[], ours: [] as Measured[] };
  for (let round = 0; round < rounds; round++) {
    for (const name of ['match', 'rows', 'ours'] as const) results[name].push(await variants[name](seconds));
  }
  const [match, rows, our] = [results.match, results.rows, results.ours].map((measured) => median(measured.map(({ rate }) => rate)));
  const byCpu = cpuOf(results.rows) / cpuOf(results.ours);
  console.log(
    row(
      name,
      rateOf(results.match),
      rateOf(results.rows),
      rateOf(results.ours),
      (our / match).toFixed(2),
      (our / rows).toFixed(2),
      `>= ${GOAL.toFixed(2)}`,
      cpuText(results.match),
      cpuText(results.rows),
      cpuText(results.ours),
      byCpu.toFixed(2),
    ),
  );
}

async function bare({ tenant, next, pool, database }: Workload, duration: number, withRows: boolean): Promise<Measured> {
  const before = { client: process.cpuUsage(), database: database() };
  const rate = await runBare(pool, tenant, next, duration, withRows);
  const { user, system } = process.cpuUsage(before.client);
  return { rate, serverCpu: (user + system) / (rate * duration), databaseCpu: (database() - before.database) / (rate * duration) };
}

async function ours({ server: { url, cpu }, tenant: { authorization }, next, database }: Workload, duration: number): Promise<Measured> {
  const before = { server: cpu(), database: database() };
  const result = await autocannon({
    url: `${url}/api/v1/webhooks/leads`,
    connections: CONNECTIONS,
    duration,
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    requests: [{ setupRequest: (request) => ({ ...request, body: JSON.stringify(personOf(next())) }) }],
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} responses were not 2xx, ${result.errors} calls failed.`);
  const responses = result['2xx'];
  return {
    rate: responses / result.duration,
    serverCpu: (cpu() - before.server) / responses,
    databaseCpu: (database() - before.database) / responses,
  };
}

function newPersons(): () => number {
  let number = FIRST_NEW;
  return () => number++;
}

function rateOf(measured: readonly Measured[]): string {
  const rates = measured.map(({ rate }) => rate);
  return `${Math.round(median(rates))}/s ±${Math.round(spread(rates) * 50)}%`;
}

function cpuText(measured: readonly Measured[]): string {
  const [server, database] = [measured.map(({ serverCpu }) => serverCpu), measured.map(({ databaseCpu }) => databaseCpu)];
  return `${Math.round(median(server))} + ${Math.round(median(database))}`;
}

/** The CPU time of server and PostgreSQL together, without the client that sends our requests. */
function cpuOf(measured: readonly Measured[]): number {
  return median(measured.map(({ serverCpu, databaseCpu }) => serverCpu + databaseCpu));
}

function row(...cells: string[]): string {
  const widths = [29, 11, 11, 11, 8, 7, 7, 10, 10, 11, 6];
  return `| ${cells.map((cell, index) => cell.padEnd(widths[index])).join(' | ')} |`;
}
