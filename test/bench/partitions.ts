// npm run bench:partitions [-- --rows 1000000]
// Deletes old rows of the request log in batches, and drops them with their partitions, and measures how long others wait meanwhile to
// write and to read it; writes and reads both tables side by side. Claims deliveries of webhooks and stores their results.
import 'reflect-metadata';
import { rmSync } from 'node:fs';
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { DataSource } from 'typeorm';
import { newDataDir } from '../harness/data-dir.js';
import { firstIdAt } from '../../src/kit/index.js';
import { newId } from '../../src/kit/internal.js';
import { newRequestId } from '../../src/platform/http/unrouted/server-errors.js';
import { startEmbeddedPostgres } from '../../src/platform/persistence/embedded-postgres/embedded-postgres.js';
import { dropPartitions, makePartitions } from '../../src/platform/persistence/partitions/partitions.js';
import { dataSourceOptions } from '../../src/platform/persistence/persistence.module.js';
import { poolOf } from '../../src/platform/persistence/database/pool.js';
import { RequestLog } from '../../src/platform/request-log/request-log.js';
import type { QueueWorker } from '../../src/platform/queue/queue-worker.js';
import { DeliveryClaims } from '../../src/platform/webhooks/deliveries/delivery-claims.js';
import { DeliveryResults, type DeliveryResult } from '../../src/platform/webhooks/deliveries/delivery-results.js';
import { databaseUrl, onServer } from '../harness/database-server.js';
import { createSchema } from '../harness/template-database.js';
import { cpuOfPostgres } from './cpu.js';
import { load, median } from './load.js';

const DAY_MS = 24 * 60 * 60_000;
const KEEP_DAYS = 30;
/** Days of rows beyond those, all in partitions that have ended. */
const OLD_DAYS = 6;
const ROWS_PER_DELETE = 5_000;
const QUERIES = 200;
const DELIVERIES = 5_000;
/** With the partitions that share the time for which rows are kept. */
const TABLES = { request_logs: 10, webhook_deliveries: 4 };
/** For which others write and read before the purge, to compare. */
const ALONE_MS = 3_000;
const LIST = `SELECT t.* FROM request_logs t WHERE t.organization_id = $1 AND t.plane = 'keyed'`;
const NEWEST = 'ORDER BY t.created_at DESC, t.id DESC LIMIT 51';
const ORGANIZATION = '01990000-0000-7000-8000-000000000001';
const { values: asked } = parseArgs({ options: { rows: { type: 'string', default: '1000000' } } });
const rows = Number(asked.rows);
const now = Date.now();

const dataDir = newDataDir('bench-partitions');
const postgres = await startEmbeddedPostgres(dataDir);
const cpu = cpuOfPostgres(dataDir);
try {
  console.log(`${cpus().length} cores (${cpus()[0].model}), load average ${load()}; ${rows} old rows, and as many of ${KEEP_DAYS} days\n`);
  const plain = await open('plain', mergeAll);
  const parts = await open('parts', makeOldPartitions);
  const databases = { plain, parts };
  for (const [name, one] of Object.entries(databases)) await fill(name, one);
  await compareReads(databases);
  await compareWrites(databases);
  for (const endpoints of [10, 1_000]) await compareClaims(databases, endpoints);
  await purge('DELETE in batches', 'plain', plain, deleteOld);
  await purge('DROP of partitions', 'parts', parts, (one) =>
    dropPartitions(poolOf(one), 'request_logs', new Date(now - KEEP_DAYS * DAY_MS)),
  );
  console.log(`\nload average ${load()}`);
  for (const one of Object.values(databases)) await one.destroy();
} finally {
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function open(name: string, prepare: (one: DataSource) => Promise<unknown>): Promise<DataSource> {
  await onServer(postgres.url, `CREATE DATABASE ${name}`);
  await createSchema(databaseUrl(postgres.url, name));
  const one = await connect(name, 1);
  await prepare(one);
  return one;
}

/** Without the time limit of statements. */
function connect(name: string, poolSize: number): Promise<DataSource> {
  const options = dataSourceOptions({ url: databaseUrl(postgres.url, name), poolSize, queryTimeoutMs: 0 });
  return new DataSource(Object.assign(options, { extra: { ...(options.extra as object), options: '' } })).initialize();
}

async function mergeAll(one: DataSource): Promise<void> {
  for (const table of Object.keys(TABLES)) await one.query(`SELECT partitions.merge('${table}')`);
}

/** As if the tables had been partitioned long ago. */
async function makeOldPartitions(one: DataSource): Promise<void> {
  for (const [table, parts] of Object.entries(TABLES)) {
    await one.query(`DROP TABLE partitions.${table}_before`);
    for (let days = KEEP_DAYS + OLD_DAYS; days >= 0; days -= 3)
      await makePartitions(poolOf(one), table, KEEP_DAYS, new Date(now - days * DAY_MS), parts);
  }
}

async function fill(name: string, one: DataSource): Promise<void> {
  const startedAt = performance.now();
  const spans = [
    [KEEP_DAYS + OLD_DAYS, OLD_DAYS - 1],
    [KEEP_DAYS, KEEP_DAYS],
  ];
  for (const [begins, days] of spans)
    await one.query(
      `INSERT INTO request_logs (id, organization_id, mode, api_key_id, plane, method, route, operation, via, status, code, latency_ms,
                                 address, request_id, user_agent, created_at, updated_at)
       SELECT (digits || '7' || lpad(to_hex(n), 19, '0'))::uuid, $1, 'live', $1, 'keyed', 'GET', '/api/v1/ext/module/things' || n % 60,
         'get_things_' || n % 60, 'http', CASE WHEN n % 20 = 0 THEN 404 ELSE 200 END, CASE WHEN n % 20 = 0 THEN 'not_found' END,
         n % 97, '203.0.113.7', 'req_' || digits || '7' || lpad(to_hex(n), 19, '0'), 'client/1.0', at, at
       FROM (SELECT n, at, lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') AS digits
         FROM (SELECT n, $2::timestamptz + n * $3::float8 * interval '1 millisecond' AS at
           FROM generate_series(1, $4::int) AS n) AS o) AS r`,
      [ORGANIZATION, new Date(now - begins * DAY_MS), (days * DAY_MS) / rows, rows],
    );
  await one.query('VACUUM ANALYZE request_logs');
  await one.query('CHECKPOINT');
  console.log(`${name}: filled in ${seconds(startedAt)} s, ${await mebibytes(one)} MiB`);
}

async function compareReads(databases: Record<string, DataSource>): Promise<void> {
  const [row] = await databases.plain.query<{ id: string; request_id: string }[]>('SELECT * FROM request_logs ORDER BY id DESC LIMIT 1');
  const queries: [name: string, text: string, values: unknown[]][] = [
    ['by id', 'SELECT * FROM request_logs WHERE id = $1 AND organization_id = $2', [row.id, ORGANIZATION]],
    ['by request id', `${LIST} AND t.request_id = $2 ${NEWEST}`, [ORGANIZATION, row.request_id]],
    ['list', `${LIST} ${NEWEST}`, [ORGANIZATION]],
    ['list, second page', `${LIST} AND (t.created_at, t.id) < ($2, $3) ${NEWEST}`, [ORGANIZATION, new Date(now - DAY_MS), row.id]],
    ['list, failed', `${LIST} AND t.status >= 400 AND t.code = 'not_found' ${NEWEST}`, [ORGANIZATION]],
  ];
  for (const [name, text, values] of queries) {
    const costs: Record<string, number[]> = { plain: [], parts: [] };
    for (let round = -1; round < 5; round++)
      for (const [of, one] of Object.entries(databases)) {
        const before = cpu();
        // prepared, as the store sends its lists
        for (let done = 0; done < QUERIES; done++) await poolOf(one).query({ name, text, values });
        if (round >= 0) costs[of].push((cpu() - before) / QUERIES / 1_000);
      }
    const [plain, parts] = [median(costs.plain), median(costs.parts)];
    console.log(`${name}: ${plain.toFixed(2)} ms of PostgreSQL's CPU in one table, ${parts.toFixed(2)} ms in partitions`);
  }
}

async function compareWrites(databases: Record<string, DataSource>): Promise<void> {
  const costs: Record<string, number[]> = { plain: [], parts: [] };
  for (let round = -1; round < 7; round++)
    for (const [name, one] of Object.entries(databases)) {
      const log = new RequestLog(one);
      const before = cpu();
      for (let written = 0; written < 10_000; written++) {
        log.record(entry());
        if (written % 500 === 499) await log.flush();
      }
      await log.onApplicationShutdown();
      if (round >= 0) costs[name].push((cpu() - before) / 10_000);
    }
  const [plain, parts] = [median(costs.plain), median(costs.parts)];
  console.log(`to write an entry: ${plain.toFixed(1)} us of PostgreSQL's CPU in one table, ${parts.toFixed(1)} us in partitions`);
}

/** Deliveries that are ready at once, by the statements of a worker. */
async function compareClaims(databases: Record<string, DataSource>, endpoints: number): Promise<void> {
  const costs: Record<string, number[]> = { plain: [], parts: [] };
  for (const one of Object.values(databases)) {
    await one.query('SET session_replication_role = replica');
    await one.query('DELETE FROM webhook_endpoints');
    await one.query(
      `INSERT INTO webhook_endpoints (id, organization_id, mode, url, events, enabled_at, max_concurrency, secret)
       SELECT gen_random_uuid(), $1, 'live', 'https://example.com', '{*}', 'epoch', 40, '' FROM generate_series(1, $2::int)`,
      [ORGANIZATION, endpoints],
    );
    await one.query('RESET session_replication_role');
  }
  for (let round = -1; round < 5; round++)
    for (const [name, one] of Object.entries(databases)) {
      await one.query('TRUNCATE webhook_deliveries, webhook_attempts');
      await one.query(
        `INSERT INTO webhook_deliveries (id, organization_id, mode, endpoint_id, event_id, event_type)
         SELECT i.id, $1, 'live', (SELECT array_agg(id) FROM webhook_endpoints)[1 + i.n % $2], $1, 'task.created'
         FROM unnest($3::uuid[]) WITH ORDINALITY AS i (id, n)`,
        [ORGANIZATION, endpoints, Array.from({ length: DELIVERIES }, () => newId())],
      );
      await one.query('VACUUM ANALYZE webhook_deliveries');
      const before = cpu();
      await deliverAll(one);
      if (round >= 0) costs[name].push((cpu() - before) / DELIVERIES);
    }
  const [plain, parts] = [median(costs.plain), median(costs.parts)];
  console.log(
    `a delivery, ${endpoints} endpoints: ${plain.toFixed(0)} us of PostgreSQL's CPU in one table, ${parts.toFixed(0)} us in partitions`,
  );
}

async function deliverAll(one: DataSource): Promise<void> {
  const claims = new DeliveryClaims(one, { id: newId() } as QueueWorker);
  const results = new DeliveryResults(one);
  for (let done = 0; done < DELIVERIES;) {
    const claimed = await claims.claim({ limit: 100, lane: 40, slowLane: 10, fullOrganizations: [] }, 60_000);
    await results.settle(claimed.map(({ id, endpoint_id, attempt_count }) => resultOf(id, endpoint_id, attempt_count)));
    done += claimed.length;
  }
}

function resultOf(id: string, endpointId: string, attempt: number): DeliveryResult {
  const post = { startedAt: new Date(), latencyMs: 5, status: 200, headers: null, body: null, error: null };
  return { id, endpointId, attempt, wasFailing: false, wasSlow: false, status: 'delivered', waitMs: 0, post, error: null };
}

function entry(): Parameters<RequestLog['record']>[0] {
  return {
    time: new Date(),
    organization_id: ORGANIZATION,
    project_id: null,
    mode: 'live',
    api_key_id: null,
    member_id: null,
    plane: 'keyed',
    method: 'GET',
    route: '/api/v1/ext/module/things',
    operation: 'get_thing',
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
  };
}

async function deleteOld(one: DataSource): Promise<void> {
  const before = firstIdAt(now - KEEP_DAYS * DAY_MS);
  for (let deleted = ROWS_PER_DELETE; deleted === ROWS_PER_DELETE;) {
    const { rowCount } = await poolOf(one).query(
      `DELETE FROM request_logs WHERE ctid = ANY(ARRAY(
         SELECT ctid FROM request_logs WHERE id <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED))`,
      [before, ROWS_PER_DELETE],
    );
    deleted = rowCount ?? 0;
  }
}

async function purge(name: string, database: string, one: DataSource, run: (one: DataSource) => Promise<void>): Promise<void> {
  const others = await connect(database, 2);
  const alone = await longestWaits(others, () => sleep(ALONE_MS));
  const before = await mebibytes(one);
  const wal = async () => (await one.query<{ at: string }[]>(`SELECT pg_current_wal_lsn() - '0/0' AS at`))[0].at;
  const [walBefore, cpuBefore, startedAt] = [Number(await wal()), cpu(), performance.now()];
  const during = await longestWaits(others, () => run(one));
  const took = performance.now() - startedAt;
  await others.destroy();
  const spent = [(cpu() - cpuBefore) / 1_000, (Number(await wal()) - walBefore) / 2 ** 20];
  await one.query('VACUUM request_logs');
  console.log(
    `${name}: ${took.toFixed(0)} ms, ${spent[0].toFixed(0)} ms of CPU, ${spent[1].toFixed(1)} MiB of WAL; ` +
      `the table had ${before} MiB, and has ${await mebibytes(one)} MiB after VACUUM`,
  );
  console.log(`  meanwhile ${told(during)}; before it ${told(alone)}`);
}

interface Waits {
  count: number;
  longestMs: number;
}

/** Of requests that are logged and of lists that are read, one after the other, while the work runs: what holds a lock delays them. */
async function longestWaits(others: DataSource, work: () => Promise<unknown>): Promise<{ writes: Waits; reads: Waits }> {
  const ended = new AbortController();
  const log = new RequestLog(others);
  const repeat = async (query: () => Promise<unknown>): Promise<Waits> => {
    const waits = { count: 0, longestMs: 0 };
    do {
      const startedAt = performance.now();
      await query();
      waits.count++;
      waits.longestMs = Math.max(waits.longestMs, performance.now() - startedAt);
    } while (!ended.signal.aborted);
    return waits;
  };
  const writing = repeat(() => {
    log.record(entry());
    return log.flush();
  });
  const reading = repeat(() => others.query(`${LIST} ${NEWEST}`, [ORGANIZATION]));
  try {
    await work();
  } finally {
    ended.abort();
  }
  const [writes, reads] = await Promise.all([writing, reading]);
  await log.onApplicationShutdown();
  return { writes, reads };
}

function told({ writes, reads }: { writes: Waits; reads: Waits }): string {
  const [write, read] = [writes, reads].map(({ longestMs }) => longestMs.toFixed(0));
  return `the longest of ${writes.count} writes took ${write} ms, of ${reads.count} reads ${read} ms`;
}

async function mebibytes(one: DataSource): Promise<number> {
  const [{ size }] = await one.query<{ size: string }[]>(
    `SELECT pg_total_relation_size('request_logs') + coalesce(sum(pg_total_relation_size(partition)), 0) AS size
     FROM partitions.list('request_logs')`,
  );
  return Math.round(Number(size) / 2 ** 20);
}

function seconds(startedAt: number): string {
  return ((performance.now() - startedAt) / 1_000).toFixed(1);
}
