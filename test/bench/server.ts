import { transformFileSync } from '@swc/core';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PROJECT_ROOT } from '../../src/platform/config/project-root.js';
import { selfSignedSeal } from '../../src/modules/documents/engine/sealing/seal-file.js';
import { freePort } from '../harness/free-port.js';
import { cpuOf, type CpuClock } from './cpu.js';

const START_TIMEOUT_MS = 60_000;
const POLL_MS = 5;

const secret = 'only for measuring, known to all'.padEnd(32, '.');
/** The environment of all measured servers, with limits far above what a benchmark sends. */
export const MEASURED_SETTINGS = {
  CURSOR_SECRET: secret,
  SESSION_SECRET: secret,
  ENCRYPTION_KEY: secret,
  BASE_URL: 'http://127.0.0.1',
  LOG_LEVEL: 'warn',
  RATE_LIMIT_PER_KEY: '1000000000',
  RATE_LIMIT_PER_ORGANIZATION: '1000000000',
};

/** A measured server in a separate process. */
export interface Server {
  url: string;
  /** The time from its start to its first response. */
  bootMs: number;
  cpu: CpuClock;
  /** Resident memory in MiB. */
  memory(): number;
  stop(): Promise<void>;
}

/** The same arguments and variables as in npm start and in the image. */
const NODE_ARGUMENTS = ['--min-semi-space-size=4', '--max-semi-space-size=8', '--heap-growing-percent=60', '--expose-gc'];
const MALLOC = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '262144', MALLOC_MMAP_THRESHOLD_: '1048576' };

export const OURS = join(PROJECT_ROOT, 'dist', 'src', 'main.js');

/** Compiles a floor in the same way as the build compiles the product. */
export function buildFloor(name = 'floor'): string {
  for (const file of ['floor-keys', name]) {
    const source = join(PROJECT_ROOT, 'test', 'bench', `${file}.ts`);
    writeFileSync(compiled(file), transformFileSync(source, { module: { type: 'es6' }, sourceMaps: false }).code);
  }
  return compiled(name);
}

function compiled(file: string): string {
  return join(PROJECT_ROOT, 'dist', `${file}.js`);
}

/** Production requires a certificate file. */
function sealFile(): string {
  const file = join(PROJECT_ROOT, 'dist', 'bench-seal.p12');
  if (!existsSync(file)) writeFileSync(file, selfSignedSeal());
  return file;
}

/** Starts a server with the same settings for the floor and the product, and only with these environment variables. */
export async function startServer(file: string, env: Record<string, string>): Promise<Server> {
  const port = await freePort();
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...NODE_ARGUMENTS, file], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      SEAL_P12_FILE: sealFile(),
      HOST: '127.0.0.1',
      PORT: String(port),
      BASE_URL: `http://127.0.0.1:${port}`,
      DATABASE_POOL_SIZE: '10',
      ...MALLOC,
      ...env,
    },
  });
  const url = `http://127.0.0.1:${port}`;
  while (!(await responds(url))) {
    if (child.exitCode !== null) throw new Error(`${file} exited with ${child.exitCode} before it responded.`);
    if (performance.now() - startedAt > START_TIMEOUT_MS) {
      child.kill('SIGKILL');
      throw new Error(`${file} did not respond in time.`);
    }
    await sleep(POLL_MS);
  }
  const bootMs = performance.now() - startedAt;
  return {
    url,
    bootMs,
    cpu: cpuOf(child.pid as number),
    memory: () => Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function responds(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health`)).ok;
  } catch {
    return false;
  }
}
