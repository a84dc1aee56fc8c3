// npm run bench:leads [-- --rounds 5 --seconds 4 --million]
// Compares the lead webhook with a Fastify route that writes the same rows in one statement, and a million leads with none.
import 'reflect-metadata';
import { rmSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { newDataDir } from '../harness/data-dir.js';
import { createApp } from '../../src/app.js';
import { MODULES } from '../../src/modules.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { queryOnce } from '../../src/platform/persistence/connections/query-once.js';
import { startEmbeddedPostgres } from '../../src/platform/persistence/embedded-postgres/embedded-postgres.js';
import { insideOf } from '../harness/inside.js';
import { databaseUrl, onServer } from '../harness/database-server.js';
import { createWorkspace } from '../harness/workspace.js';
import { cpuOfPostgres } from './cpu.js';
import { KEYS } from './floor-keys.js';
import { createBareSubmit, personOf, seedLeads, type LeadTenant } from './leads-sql.js';
import { compare, load, withAndWithoutKey, type Workload } from './load.js';
import { printComparison, printHeading, type ReportLine } from './report.js';
import { MEASURED_SETTINGS, buildFloor, OURS, startServer, type Server } from './server.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const GOAL = 0.35;
/** A million leads may cost at most this much more than none. */
const GROWTH_GOAL = 0.9;
const WARM_UP_SECONDS = 8;
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

interface KeyedLeadTenant extends LeadTenant {
  authorization: string;
}

interface Comparison extends ReportLine {
  base: Workload;
  ours: Workload;
}

const dataDir = newDataDir('bench-leads');
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
  const env = { ...MEASURED_SETTINGS, DATABASE_URL: url, DATA_DIR: dataDir };
  // the first start creates the tables
  await (await startServer(OURS, env)).stop();
  await createBareSubmit(url);
  await queryOnce({ connectionString: url }, KEYS);
  const counts = asked.million ? [0, MILLION] : [0];
  const tenants = await createTenants(url, env, counts.length);
  for (const [index, count] of counts.entries()) await seedLeads(url, tenants[index], Math.max(count, KNOWN_PERSONS));
  const floor = await startServer(buildFloor('floor-leads'), { DATABASE_URL: url, TENANTS: JSON.stringify(tenants) });
  running.push(floor);
  const ours = await startServer(OURS, env);
  running.push(ours);
  console.log(`node ${process.version}, ${cpus().length} cores (${cpus()[0].model}), load average ${load()}`);
  printHeading('base: a Fastify route with the same statements, or the product without leads (ratio of CPU time then)');
  const database = cpuOfPostgres(dataDir);
  const compared = comparisons(floor, ours, tenants);
  // until some thousand leads have come in, the servers run code that is not optimized
  await compare(compared[0].base, compared[0].ours, database, { rounds: 1, seconds: WARM_UP_SECONDS });
  for (const comparison of compared) {
    const { base, ours } = comparison;
    printComparison(comparison, await compare(base, ours, database, { rounds: Number(asked.rounds), seconds: Number(asked.seconds) }));
  }
  console.log(`\nload average ${load()}`);
}

function comparisons(floor: Server, ours: Server, tenants: readonly KeyedLeadTenant[]): Comparison[] {
  const [few, many] = tenants;
  const atFloor = (nextBody: () => string): Workload => ({
    server: floor,
    headers: JSON_TYPE,
    requests: [{ method: 'POST', path: '/leads/0' }],
    nextBody,
    isExpected: isLead,
  });
  const atOurs = ({ authorization }: KeyedLeadTenant, nextBody: () => string): Workload => ({
    server: ours,
    headers: { ...JSON_TYPE, authorization },
    requests: [{ method: 'POST', path: '/api/v1/webhooks/leads' }],
    nextBody,
    isExpected: isLead,
  });
  const fresh = newPersons();
  const compared: Comparison[] = [
    { name: 'new leads', goal: GOAL, base: atFloor(fresh), ours: atOurs(few, fresh) },
    { name: 'known leads', goal: GOAL, base: atFloor(knownPerson), ours: atOurs(few, knownPerson) },
  ].flatMap(withAndWithoutKey);
  if (!many) return compared;
  const growth = { goal: GROWTH_GOAL, byCost: true } as const;
  return [
    ...compared,
    { name: 'new, among a million / among few', ...growth, base: atOurs(few, fresh), ours: atOurs(many, fresh) },
    { name: 'known, among a million / among few', ...growth, base: atOurs(few, knownPerson), ours: atOurs(many, knownPerson) },
  ];
}

/** Creates organizations through the platform, one per table size. */
async function createTenants(url: string, env: Record<string, string>, count: number): Promise<KeyedLeadTenant[]> {
  const config = loadConfig({ ...env, NODE_ENV: 'test' });
  const app = await createApp({ config, databaseUrl: url, modules: MODULES });
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

function newPersons(): () => string {
  let number = FIRST_NEW;
  return () => JSON.stringify(personOf(number++));
}

function knownPerson(): string {
  return JSON.stringify(personOf(Math.floor(Math.random() * KNOWN_PERSONS)));
}

function isLead(body: unknown): boolean {
  const { object, lead } = body as { object?: unknown; lead?: { id?: unknown } };
  return object === 'lead_submission' && typeof lead?.id === 'string';
}
