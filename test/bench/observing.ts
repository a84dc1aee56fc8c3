// npm run bench:observing [-- --pairs 4 --rounds 6 --seconds 1 --only metrics]
// Compares the product that is observed with the product that is not, by CPU time. Two processes with the same work differ by some percent,
// each for as long as it runs, so each comparison is made with several pairs of new processes, which change databases. The first lines
// compare the product with itself: a cost that is smaller than the range of these lines is not shown by this benchmark.
import 'reflect-metadata';
import { rmSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../../src/platform/persistence/embedded-postgres/embedded-postgres.js';
import { newDataDir } from '../harness/data-dir.js';
import { databaseUrl, onServer } from '../harness/database-server.js';
import { OtlpReceiver } from '../harness/otlp-receiver.js';
import { cpuOfPostgres } from './cpu.js';
import { compare, load, mean, warmUp, WARM_UP_REQUESTS, type Round, type Workload } from './load.js';
import { seedOurs, type Seeded } from './seed.js';
import { MEASURED_SETTINGS, OURS, startServer } from './server.js';
import { ourCreate, readById } from './workloads.js';

const ROWS = 10_000;
const collector = await OtlpReceiver.start();
const OBSERVED: { name: string; env: Record<string, string>; goal?: string }[] = [
  { name: 'nothing', env: {} },
  { name: 'metrics', env: { METRICS_PORT: '0' }, goal: '<= 3 %' },
  { name: 'log lines', env: { LOG_LEVEL: 'info' } },
  { name: 'a tenth of traces', env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: '0.1' } },
];
const WORKLOADS = { read: readById, create: ourCreate };

const { values: asked } = parseArgs({
  options: {
    pairs: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '6' },
    seconds: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
});

const dataDir = newDataDir('bench');
const postgres = await startEmbeddedPostgres(dataDir);
try {
  await measure();
} finally {
  collector.stop();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

/** CPU time per request in microseconds, of each pair of processes. */
interface Costs {
  base: number[];
  ours: number[];
}

async function measure(): Promise<void> {
  console.log(`node ${process.version}, ${cpus().length} cores (${cpus()[0].model}), load average ${load()}`);
  const databases = [await prepared('one'), await prepared('other')];
  const observed = OBSERVED.filter(({ name }) => name === 'nothing' || name.includes(asked.only));
  const found = new Map<string, Costs>();
  for (let pair = 0; pair < Number(asked.pairs); pair++) {
    for (const { name, env } of observed)
      for (const [what, { base, ours }] of Object.entries(await comparePair(databases, env))) {
        const costs = found.get(`${what}, ${name}`) ?? { base: [], ours: [] };
        found.set(`${what}, ${name}`, { base: [...costs.base, base], ours: [...costs.ours, ours] });
      }
    databases.reverse();
  }
  console.log('\nCPU time of the server and of PostgreSQL per request, compared with a process that nothing observes\n');
  for (const what of Object.keys(WORKLOADS))
    for (const { name, goal = '' } of observed) printCost(`${what}, ${name}`, found.get(`${what}, ${name}`)!, goal);
  console.log(`\nload average ${load()}`);
}

/** Both processes anew: the longer one runs, the more of its code is optimized. */
async function comparePair(
  [first, second]: Awaited<ReturnType<typeof prepared>>[],
  env: Record<string, string>,
): Promise<Record<string, { base: number; ours: number }>> {
  const base = await startServer(OURS, first.env);
  const ours = await startServer(OURS, { ...second.env, ...env });
  const database = cpuOfPostgres(dataDir);
  const result: Record<string, { base: number; ours: number }> = {};
  for (const [what, workload] of Object.entries<(server: typeof base, seeded: Seeded) => Workload>(WORKLOADS)) {
    const sides = [workload(base, first.seeded), workload(ours, second.seeded)];
    for (const side of sides) await warmUp(side, database, WARM_UP_REQUESTS);
    const rounds = await compare(sides[0], sides[1], database, { rounds: Number(asked.rounds), seconds: Number(asked.seconds) });
    result[what] = { base: costOf(rounds.base), ours: costOf(rounds.ours) };
  }
  await ours.stop();
  await base.stop();
  return result;
}

function costOf(rounds: readonly Round[]): number {
  return mean(rounds.map(({ serverCpu, databaseCpu }) => serverCpu + databaseCpu));
}

function printCost(name: string, { base, ours }: Costs, goal: string): void {
  const more = ours.map((cost, pair) => (cost / base[pair] - 1) * 100);
  const percent = (value: number) => `${value < 0 ? '' : '+'}${value.toFixed(1)} %`;
  const range = `${percent(Math.min(...more))} to ${percent(Math.max(...more))}`;
  const microseconds = `${mean(base).toFixed(0)} us, ${mean(ours).toFixed(0)} us`;
  console.log(`${name.padEnd(26)} ${percent(mean(more)).padStart(8)}   pairs ${range.padEnd(20)} ${microseconds.padEnd(18)} ${goal}`);
}

/** A database of its own, because two processes share none without Redis. */
async function prepared(name: string): Promise<{ env: Record<string, string>; seeded: Seeded }> {
  await onServer(postgres.url, `CREATE DATABASE ${name}`);
  const url = databaseUrl(postgres.url, name);
  const env = { ...MEASURED_SETTINGS, DATABASE_URL: url, DATA_DIR: dataDir };
  // the first start creates the tables
  await (await startServer(OURS, env)).stop();
  const [seeded] = await seedOurs(url, env, [ROWS]);
  return { env, seeded };
}
