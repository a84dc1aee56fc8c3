// npm run bench:leads [-- --rounds 5 --seconds 4 --million]
// Leads per second through the webhook, beside two bare statements of one round trip each on the same tables, without HTTP:
// the match-and-insert alone, and the same with the rows that the product promises of each (event, deliveries, log).
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
import { barePool, createBareSubmit, personOf, runBare, seedLeads, type LeadPlace } from './leads-sql.js';
import { load, median, spread } from './load.js';
import { OURS, startServer, type Server } from './server.js';

const GOAL = 0.5;
const CONNECTIONS = 10;
const WARM_UP_SECONDS = 2;
/** Before the first measurement: a server that has answered fewer still runs code that is not compiled. */
const WARM_UP_LEADS = 8_000;
const MILLION = 1_000_000;
/** Numbers of people who are new; far above those that are seeded. */
const FIRST_NEW = 10_000_000;
/** People who come again and again, many enough not to wait for each other. */
const REGULARS = 1_000;
const SEEDED_AT_LEAST = REGULARS;

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

interface Place extends LeadPlace {
  authorization: string;
}

interface Work {
  server: Server;
  place: Place;
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
  // the first start makes the tables
  await (await startServer(OURS, env)).stop();
  await createBareSubmit(url);
  const counts = asked.million ? [0, MILLION] : [0];
  const places = await placesOf(url, env, counts.length);
  for (const [index, count] of counts.entries()) await seedLeads(url, places[index], Math.max(count, SEEDED_AT_LEAST));
  const server = await startServer(OURS, env);
  running.push(server);
  const pool = barePool(url);
  const database = cpuOfPostgres(dataDir);
  console.log(`node ${process.version}, ${cpus().length} cores (${cpus()[0].model}), load average ${load()}\n`);
  console.log(
    'match: bare SQL of the match-and-insert; rows: the same with event, deliveries and log; cpu: microseconds of a lead in the server',
  );
  console.log('(in the client, for bare SQL) + in PostgreSQL, the ratio by cpu being what a busy machine leaves of the ratio\n');
  console.log(row('work', 'match', 'rows', 'ours', 'of match', 'of rows', 'goal', 'cpu match', 'cpu rows', 'cpu ours', 'by cpu'));
  console.log(row(...Array<string>(11).fill('---')));
  await warmUp({ server, place: places[0], next: newcomers(), pool, database });
  for (const [index, count] of counts.entries()) {
    const among = count.toLocaleString('en');
    await compare(`new leads, among ${among}`, { server, place: places[index], next: newcomers(), pool, database });
    await compare(`known leads, among ${among}`, {
      server,
      place: places[index],
      next: () => Math.floor(Math.random() * REGULARS),
      pool,
      database,
    });
  }
  await pool.end();
  console.log(`\nload average ${load()}`);
}

/** An organisation for each size, made through the platform. */
async function placesOf(url: string, env: Record<string, string>, count: number): Promise<Place[]> {
  const config = loadConfig({ ...env, NODE_ENV: 'test' });
  const app = await createApp({ config, databaseUrl: url, modules: MODULES, migrations: [] });
  await app.init();
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const places: Place[] = [];
    for (let made = 0; made < count; made++) {
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
      places.push({
        authorization: `Bearer ${keySecret}`,
        organizationId,
        projectId: eng.id,
        pipelineId: stage.pipeline_id,
        statusId: stage.id,
        keyId,
      });
    }
    return places;
  } finally {
    await client.end();
    await app.close();
  }
}

async function warmUp(work: Work): Promise<void> {
  for (let answered = 0; answered < WARM_UP_LEADS;) answered += (await ours(work, WARM_UP_SECONDS)).rate * WARM_UP_SECONDS;
}

/** Both by turns, so that whatever else the machine does meets both. */
async function compare(name: string, work: Work): Promise<void> {
  const ways = {
    match: (duration: number) => bare(work, duration, false),
    rows: (duration: number) => bare(work, duration, true),
    ours: (duration: number) => ours(work, duration),
  };
  for (const way of Object.values(ways)) await way(WARM_UP_SECONDS);
  const results = { match: [] as Measured[], rows: [] as Measured[], ours: [] as Measured[] };
  for (let round = 0; round < rounds; round++) {
    for (const way of ['match', 'rows', 'ours'] as const) results[way].push(await ways[way](seconds));
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

async function bare({ place, next, pool, database }: Work, duration: number, withRows: boolean): Promise<Measured> {
  const before = { client: process.cpuUsage(), database: database() };
  const rate = await runBare(pool, place, next, duration, withRows);
  const { user, system } = process.cpuUsage(before.client);
  return { rate, serverCpu: (user + system) / (rate * duration), databaseCpu: (database() - before.database) / (rate * duration) };
}

async function ours({ server: { url, cpu }, place: { authorization }, next, database }: Work, duration: number): Promise<Measured> {
  const before = { server: cpu(), database: database() };
  const result = await autocannon({
    url: `${url}/api/v1/webhooks/leads`,
    connections: CONNECTIONS,
    duration,
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    requests: [{ setupRequest: (request) => ({ ...request, body: JSON.stringify(personOf(next())) }) }],
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} answers were not 2xx, ${result.errors} calls failed.`);
  const answers = result['2xx'];
  return {
    rate: answers / result.duration,
    serverCpu: (cpu() - before.server) / answers,
    databaseCpu: (database() - before.database) / answers,
  };
}

function newcomers(): () => number {
  let number = FIRST_NEW;
  return () => number++;
}

function rateOf(measured: readonly Measured[]): string {
  const rates = measured.map(({ rate }) => rate);
  return `${Math.round(median(rates))}/s ±${Math.round(spread(rates) * 50)}%`;
}

function cpuText(measured: readonly Measured[]): string {
  return `${Math.round(median(measured.map(({ serverCpu }) => serverCpu)))} + ${Math.round(median(measured.map(({ databaseCpu }) => databaseCpu)))}`;
}

/** Both sides together, without the client that sends our requests. */
function cpuOf(measured: readonly Measured[]): number {
  return median(measured.map(({ serverCpu, databaseCpu }) => serverCpu + databaseCpu));
}

function row(...cells: string[]): string {
  const widths = [29, 11, 11, 11, 8, 7, 7, 10, 10, 11, 6];
  return `| ${cells.map((cell, index) => cell.padEnd(widths[index])).join(' | ')} |`;
}
