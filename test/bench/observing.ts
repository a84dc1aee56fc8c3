// npm run bench:observing [-- --rounds 7 --seconds 3 --only metrics]
// Compares the product that is observed with the product that is not, in one run. The first lines compare it with itself.
import 'reflect-metadata';
import { rmSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../../src/platform/persistence/embedded-postgres/embedded-postgres.js';
import { newDataDir } from '../harness/data-dir.js';
import { databaseUrl, onServer } from '../harness/database-server.js';
import { OtlpReceiver } from '../harness/otlp-receiver.js';
import { cpuOfPostgres } from './cpu.js';
import { compare, load, warmUp, WARM_UP_REQUESTS } from './load.js';
import { printComparison, printHeading } from './report.js';
import { seedOurs, type Seeded } from './seed.js';
import { MEASURED_SETTINGS, OURS, startServer } from './server.js';
import { ourCreate, readById } from './workloads.js';

const ROWS = 10_000;
const collector = await OtlpReceiver.start();
const OBSERVED: { name: string; env: Record<string, string>; goal: number | null }[] = [
  { name: 'nothing', env: {}, goal: null },
  { name: 'metrics', env: { METRICS_PORT: '0' }, goal: 0.97 },
  { name: 'log lines', env: { LOG_LEVEL: 'info' }, goal: null },
  { name: 'a tenth of traces', env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: '0.1' }, goal: null },
];

const { values: asked } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '3' },
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

async function measure(): Promise<void> {
  console.log(`node ${process.version}, ${cpus().length} cores (${cpus()[0].model}), load average ${load()}`);
  printHeading('base: not observed; by CPU time of the server and of PostgreSQL');
  const [plain, observed] = [await prepared('plain'), await prepared('observed')];
  const database = cpuOfPostgres(dataDir);
  for (const { name, env, goal } of OBSERVED.filter((one) => one.name.includes(asked.only))) {
    // both anew: the longer a process runs, the more of its code is optimized
    const base = await startServer(OURS, plain.env);
    const ours = await startServer(OURS, { ...observed.env, ...env });
    for (const [what, workload] of [['read', readById] as const, ['create', ourCreate] as const]) {
      const sides = [workload(base, plain.seeded), workload(ours, observed.seeded)];
      for (const side of sides) await warmUp(side, database, WARM_UP_REQUESTS);
      const rounds = await compare(sides[0], sides[1], database, { rounds: Number(asked.rounds), seconds: Number(asked.seconds) });
      printComparison({ name: `${what}, ${name}`, goal, byCost: true }, rounds);
    }
    await ours.stop();
    await base.stop();
  }
  console.log(`\nload average ${load()}`);
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
