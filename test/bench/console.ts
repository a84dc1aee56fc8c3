// npm run bench:console [-- --rows 1000000 --requests 20]
// The pages of the developer area read the request log through these routes; it has a million rows here.
import 'reflect-metadata';
import { rmSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { newDataDir } from '../harness/data-dir.js';
import { createApp } from '../../src/app.js';
import { MODULES } from '../../src/modules.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { startEmbeddedPostgres } from '../../src/platform/persistence/embedded-postgres/embedded-postgres.js';
import { newRequestId } from '../../src/platform/http/unrouted/server-errors.js';
import { RequestLog } from '../../src/platform/request-log/request-log.js';
import { ScheduledJobRunner } from '../../src/platform/scheduled-jobs/scheduled-job-runner.js';
import type { Client } from '../harness/client.js';
import { databaseUrl, onServer } from '../harness/database-server.js';
import { insideOf } from '../harness/inside.js';
import { createWorkspace, signIn, PASSWORD, type Workspace } from '../harness/workspace.js';
import { seedLogs } from './console-seed.js';
import { cpuOfPostgres, type CpuClock } from './cpu.js';
import { load } from './load.js';
import { MEASURED_SETTINGS, OURS, startServer } from './server.js';

const { values: asked } = parseArgs({
  options: { rows: { type: 'string', default: '1000000' }, requests: { type: 'string', default: '20' } },
});
const settings = { ...MEASURED_SETTINGS, RATE_LIMIT_PER_MEMBER: '1000000000' };
const WRITTEN = 50_000;
const DEVELOPER = '/api/v1/org/developer';
const LIST_MS = 30;
const OVERVIEW_MS = 80;
const ANALYTICS_MS = 500;
const FROM = encodeURIComponent(new Date(Date.now() - 30.5 * 86_400_000).toISOString());

/** What is measured together: all paths are requested one after the other, and their times are added. */
type Page = [name: string, goalMs: number, paths: string[]];

const dataDir = newDataDir('bench-console');
const postgres = await startEmbeddedPostgres(dataDir);
try {
  await onServer(postgres.url, 'CREATE DATABASE console');
  await measure(databaseUrl(postgres.url, 'console'));
} finally {
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function measure(url: string): Promise<void> {
  const env = { ...settings, DATABASE_URL: url, DATA_DIR: dataDir };
  await (await startServer(OURS, env)).stop();
  const owner = await seed(url, env);
  const server = await startServer(OURS, env);
  try {
    const client = await signIn(server.url, { email: owner, password: PASSWORD });
    const database = cpuOfPostgres(dataDir);
    console.log(`node ${process.version}, ${cpus().length} cores (${cpus()[0].model}), load average ${load()}, ${asked.rows} rows`);
    console.log('\nms: from request to response; cpu: milliseconds in the server + in PostgreSQL\n');
    console.log(line('page', 'p50 ms', 'p95 ms', 'goal', 'ok', 'cpu'));
    for (const page of await pagesOf(client)) await measurePage(client, page, server.cpu, database);
    console.log(`\nload average ${load()}`);
  } finally {
    await server.stop();
  }
}

async function seed(url: string, env: Record<string, string>): Promise<string> {
  const app = await createApp({ config: loadConfig({ ...env, NODE_ENV: 'test' }), databaseUrl: url, modules: MODULES });
  await app.init();
  try {
    const workspace = await createWorkspace({ url: '', inside: insideOf(app) });
    await seedLogs(url, workspace, Number(asked.rows));
    const startedAt = performance.now();
    await app.get(ScheduledJobRunner).run('request_log.count_days');
    console.log(`counting the days took ${Math.round(performance.now() - startedAt)} ms`);
    // of another organization, so that the lists stay as they were seeded
    await writeEntries(app.get(RequestLog), await createWorkspace({ url: '', inside: insideOf(app) }));
    return workspace.owner.email;
  } finally {
    await app.close();
  }
}

/** What the indexes cost: PostgreSQL's CPU time for entries that are written as the service writes them. */
async function writeEntries(log: RequestLog, { organizationId }: Workspace): Promise<void> {
  const database = cpuOfPostgres(dataDir);
  const before = database();
  for (let written = 0; written < WRITTEN; written++) {
    log.record({
      time: new Date(),
      organization_id: organizationId,
      project_id: null,
      mode: 'live',
      api_key_id: null,
      member_id: null,
      plane: 'keyed',
      method: 'GET',
      route: `/api/v1/ext/module/things${written % 60}`,
      operation: `get_things_${written % 60}`,
      tool: null,
      via: 'http',
      status: 200,
      code: null,
      latency_ms: 3,
      address: '203.0.113.7',
      request_id: newRequestId(),
      idempotent_replay: false,
      dry_run: false,
      user_agent: 'client/1.0',
    });
    if (written % 1_000 === 999) await log.flush();
  }
  console.log(`an entry takes ${((database() - before) / WRITTEN).toFixed(1)} us of PostgreSQL's CPU time to write`);
}

async function pagesOf(client: Client): Promise<Page[]> {
  const { body } = await client.get(`${DEVELOPER}/logs?limit=1`);
  const { body: session } = await client.get('/api/v1/org/session');
  const { body: projects } = await client.get('/api/v1/org/projects');
  const some = body.data[0] as Record<string, string>;
  const filters = [
    ...['', 'mode=live', 'mode=test', 'method=DELETE', 'via=mcp', 'status=201', 'status=500', 'status_class=4xx,5xx', 'code=rate_limited'],
    'operation=get_things_59',
    `route=${encodeURIComponent('/api/v1/ext/module/things59')}`,
    'tool=get_things_30',
    'plane=product',
    'latency_ms_from=50',
    'latency_ms_from=1000',
    `api_key_id=${some.api_key_id}`,
    `request_id=${some.request_id}`,
    `member_id=${session.member.id as string}&plane=product`,
    `project_id=${projects.data[0].id as string}`,
    'status_class=5xx&mode=test',
    `created_before=${FROM}`,
  ];
  const analytics = (query: string) => [`${DEVELOPER}/analytics?from=${FROM}&interval=day${query}`];
  return [
    ...filters.map((query): Page => [`logs ${query.slice(0, 36)}`, LIST_MS, [`${DEVELOPER}/logs?limit=50&${query}`]]),
    [
      'overview',
      OVERVIEW_MS,
      [
        `${DEVELOPER}/overview?mode=live`,
        `${DEVELOPER}/webhook-endpoints?failing=true`,
        `${DEVELOPER}/api-keys?status=active&limit=100&expires_before=${encodeURIComponent(new Date().toISOString())}`,
        `${DEVELOPER}/mail-outbox?status=failed&include_total=true`,
      ],
    ],
    ['analytics, all rows', ANALYTICS_MS, analytics('')],
    ['analytics, live, by hour', ANALYTICS_MS, [`${DEVELOPER}/analytics?from=${FROM}&mode=live`]],
    ['analytics of a key', ANALYTICS_MS, analytics(`&api_key_id=${some.api_key_id}`)],
  ];
}

async function measurePage(client: Client, [name, goal, paths]: Page, server: CpuClock, database: CpuClock): Promise<void> {
  const requests = Number(asked.requests);
  const times: number[] = [];
  let [serverAt, databaseAt] = [0, 0];
  for (let round = -2; round < requests; round++) {
    // the first ones warm up
    if (round === 0) [serverAt, databaseAt] = [server(), database()];
    const startedAt = performance.now();
    for (const path of paths) {
      const { status, text } = await client.get(path);
      if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    }
    if (round >= 0) times.push(performance.now() - startedAt);
  }
  const cpu = [server() - serverAt, database() - databaseAt].map((us) => (us / 1000 / requests).toFixed(1)).join(' + ');
  times.sort((one, other) => one - other);
  const at = (share: number) => times[Math.ceil(share * times.length) - 1];
  console.log(line(name, at(0.5).toFixed(1), at(0.95).toFixed(1), `<= ${goal}`, at(0.95) <= goal ? 'yes' : 'NO', cpu));
}

function line(...cells: string[]): string {
  const widths = [42, 8, 8, 7, 3, 14];
  return `| ${cells.map((cell, index) => cell.padEnd(widths[index])).join(' | ')} |`;
}
