// npm run bench [-- --rounds 5 --seconds 4 --only create --million]
// Compares the product with the bare frameworks (the floor) in one run.
import 'reflect-metadata';
import { existsSync, rmSync } from 'node:fs';
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { demoFile } from '../../src/demo/demo-file.js';
import { newDataDir } from '../harness/data-dir.js';
import { queryOnce } from '../../src/platform/persistence/connections/query-once.js';
import { startEmbeddedPostgres } from '../../src/platform/persistence/embedded-postgres/embedded-postgres.js';
import { databaseUrl, onServer } from '../harness/database-server.js';
import { cpuOfPostgres } from './cpu.js';
import { KEYS } from './floor-keys.js';
import { compare, load, warmUp, WARM_UP_REQUESTS } from './load.js';
import { printAtMost, printComparison, printHeading } from './report.js';
import { seedFloor, seedOurs } from './seed.js';
import { MEASURED_SETTINGS, buildFloor, OURS, startServer, type Server } from './server.js';
import { comparisons } from './workloads.js';

const ROWS = 10_000;
const BOOTS = 3;
const BOOT_GOAL_MS = 1_500;
const DEMO_GOAL_MS = 5_000;
const IDLE_GOAL_MIB = 180;
const LOADED_GOAL_MIB = 300;

const { values: asked } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    only: { type: 'string', default: '' },
    million: { type: 'boolean', default: false },
  },
});
const deepRows = asked.million ? 1_000_000 : 30_000;

const dataDir = newDataDir('bench');
const postgres = await startEmbeddedPostgres(dataDir);
const running: Server[] = [];
try {
  await measure();
} finally {
  for (const server of running) await server.stop();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  const floorFile = buildFloor();
  const floorUrl = await createDatabase('floor');
  const oursUrl = await createDatabase('ours');
  const floorEnv = { DATABASE_URL: floorUrl };
  const oursEnv = { ...MEASURED_SETTINGS, DATABASE_URL: oursUrl, DATA_DIR: dataDir };

  // the first start creates the tables
  await (await startServer(floorFile, floorEnv)).stop();
  await queryOnce({ connectionString: floorUrl }, KEYS);
  await (await startServer(OURS, oursEnv)).stop();
  const taskIds = await seedFloor(floorUrl, ROWS);
  const [small, deep] = await seedOurs(oursUrl, oursEnv, [ROWS, deepRows]);

  console.log(`node ${process.version}, ${cpus().length} cores (${cpus()[0].model}), load average ${load()}`);
  const boots = { base: await bootTimes(floorFile, floorEnv), ours: await bootTimes(OURS, oursEnv) };
  const floor = await started(floorFile, floorEnv);
  const ours = await started(OURS, oursEnv);
  await sleep(2_000);
  const idle = { base: [floor.memory()], ours: [ours.memory()] };

  printHeading('base: the floor, or our own read');
  const database = cpuOfPostgres(dataDir);
  const workloads = await comparisons({ floor: { server: floor, taskIds }, ours: { server: ours, small, deep, deepRows } });
  for (const workload of workloads.filter(({ name }) => name.includes(asked.only))) {
    for (const side of [workload.base, workload.ours]) await warmUp(side, database, WARM_UP_REQUESTS);
    printComparison(
      workload,
      await compare(workload.base, workload.ours, database, { rounds: Number(asked.rounds), seconds: Number(asked.seconds) }),
    );
  }
  printAtMost('boot, ms', boots, BOOT_GOAL_MS);
  printAtMost('first start with demo, CPU ms', { ours: [await firstStartCpu()] }, DEMO_GOAL_MS);
  printAtMost('memory idle, MiB', idle, IDLE_GOAL_MIB);
  printAtMost('memory after load, MiB', { base: [floor.memory()], ours: [ours.memory()] }, LOADED_GOAL_MIB);
  console.log(`\nload average ${load()}`);
}

/** The CPU time in milliseconds that the product takes to migrate an empty database and to seed the demo. */
async function firstStartCpu(): Promise<number> {
  const folder = newDataDir('bench-demo');
  const env = { ...MEASURED_SETTINGS, NODE_ENV: 'development', DATABASE_URL: await createDatabase('demo'), DATA_DIR: folder };
  const server = await startServer(OURS, env);
  while (!existsSync(demoFile(folder))) await sleep(20);
  const cpu = server.cpu() / 1_000;
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
  return cpu;
}

async function createDatabase(name: string): Promise<string> {
  await onServer(postgres.url, `CREATE DATABASE ${name}`);
  return databaseUrl(postgres.url, name);
}

async function started(file: string, env: Record<string, string>): Promise<Server> {
  const server = await startServer(file, env);
  running.push(server);
  return server;
}

async function bootTimes(file: string, env: Record<string, string>): Promise<number[]> {
  const times: number[] = [];
  for (let boot = 0; boot < BOOTS; boot++) {
    const server = await startServer(file, env);
    times.push(server.bootMs);
    await server.stop();
  }
  return times;
}
