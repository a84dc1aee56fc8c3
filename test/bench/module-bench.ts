import 'reflect-metadata';
import { rmSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { newDataDir } from '../harness/data-dir.js';
import { queryOnce } from '../../src/platform/persistence/connections/query-once.js';
import { startEmbeddedPostgres } from '../../src/platform/persistence/embedded-postgres/embedded-postgres.js';
import { databaseUrl, onServer } from '../harness/database-server.js';
import { cpuOfPostgres, type CpuClock } from './cpu.js';
import { KEYS } from './floor-keys.js';
import { compare, load, warmUp, WARM_UP_REQUESTS, type Workload } from './load.js';
import { printComparison, printHeading, type ReportLine } from './report.js';
import { MEASURED_SETTINGS, buildFloor, OURS, startServer, type Server } from './server.js';

const { values: asked } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    only: { type: 'string', default: '' },
    rows: { type: 'string', default: '1000000' },
  },
});

/** The sizes of the two tenants that are compared. */
export const FEW = 10_000;
export const MANY = Number(asked.rows);
export const EFFORT = { rounds: Number(asked.rounds), seconds: Number(asked.seconds) };

/** A list or report of the larger tenant may cost at most this much more than one of the smaller. */
export const GROWTH_GOAL = 0.95;
export const JSON_TYPE = { 'content-type': 'application/json' };

export interface Comparison extends ReportLine {
  base: Workload;
  ours: Workload;
}

export interface Servers {
  floor: Server;
  ours: Server;
}

export interface ModuleBench<T> {
  /** Of the module; its floor is `floor-<name>.ts`. */
  name: string;
  /** What the rows of the report are compared with. */
  heading: string;
  /** Settings besides those of all measured servers. */
  settings?: Record<string, string>;
  /** Creates the rows, after the first start has created the tables. */
  seed(url: string, env: Record<string, string>): Promise<T>;
  comparisons(servers: Servers, seeded: T): Comparison[];
  /** Measures what has no base. */
  more?(servers: Servers, seeded: T, database: CpuClock): Promise<void>;
}

/** Whether a line of the report was asked for. */
export function isAsked(name: string): boolean {
  return name.includes(asked.only);
}

/** Compares a module with its floor, and large tables with small ones, on a PostgreSQL of its own. */
export async function benchModule<T>({ name, heading, settings, seed, comparisons, more }: ModuleBench<T>): Promise<void> {
  const dataDir = newDataDir(`bench-${name}`);
  const postgres = await startEmbeddedPostgres(dataDir);
  const running: Server[] = [];
  const start = async (file: string, env: Record<string, string>) => {
    const server = await startServer(file, env);
    running.push(server);
    return server;
  };
  try {
    await onServer(postgres.url, `CREATE DATABASE ${name}`);
    const url = databaseUrl(postgres.url, name);
    const env = { ...MEASURED_SETTINGS, ...settings, DATABASE_URL: url, DATA_DIR: dataDir };
    await (await startServer(OURS, env)).stop();
    await queryOnce({ connectionString: url }, KEYS);
    const seeded = await seed(url, env);
    const servers = {
      floor: await start(buildFloor(`floor-${name}`), { DATABASE_URL: url }),
      ours: await start(OURS, { ...env, ...settings }),
    };
    console.log(`node ${process.version}, ${cpus().length} cores (${cpus()[0].model}), load average ${load()}`);
    printHeading(heading);
    const database = cpuOfPostgres(dataDir);
    for (const { base, ours, ...line } of comparisons(servers, seeded)) {
      if (!isAsked(line.name)) continue;
      for (const workload of [base, ours]) await warmUp(workload, database, WARM_UP_REQUESTS);
      printComparison(line, await compare(base, ours, database, EFFORT));
    }
    await more?.(servers, seeded, database);
    console.log(`\nload average ${load()}`);
  } finally {
    for (const server of running) await server.stop();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
