import { transformFileSync } from '@swc/core';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PROJECT_ROOT } from '../../src/platform/config/project-root.js';
import { selfSignedSeal } from '../../src/platform/config/seal.js';
import { freePort } from '../kit/free-port.js';
import { cpuOf, type CpuClock } from './cpu.js';

const STARTED_WITHIN_MS = 60_000;
const POLL_MS = 5;

/** A measured server in a process of its own. */
export interface Server {
  url: string;
  /** From its start to its first answer. */
  bootMs: number;
  cpu: CpuClock;
  /** Resident memory, MiB. */
  memory(): number;
  stop(): Promise<void>;
}

/** As npm start and the image run ours. */
const NODE_ARGUMENTS = ['--max-semi-space-size=8'];

export const OURS = join(PROJECT_ROOT, 'dist', 'src', 'main.js');

/** Compiles a floor as the build compiles ours. */
export function buildFloor(name = 'floor'): string {
  const target = join(PROJECT_ROOT, 'dist', `${name}.js`);
  writeFileSync(
    target,
    transformFileSync(join(PROJECT_ROOT, 'test', 'bench', `${name}.ts`), { module: { type: 'es6' }, sourceMaps: false }).code,
  );
  return target;
}

/** Production wants a certificate of the operator's own. */
function sealFile(): string {
  const file = join(PROJECT_ROOT, 'dist', 'bench-seal.p12');
  if (!existsSync(file)) writeFileSync(file, selfSignedSeal());
  return file;
}

/** Both servers run under the same settings; only what is named here reaches them. */
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
      DATABASE_POOL_SIZE: '10',
      ...env,
    },
  });
  const url = `http://127.0.0.1:${port}`;
  while (!(await answers(url))) {
    if (child.exitCode !== null) throw new Error(`${file} ended with ${child.exitCode} instead of answering.`);
    if (performance.now() - startedAt > STARTED_WITHIN_MS) {
      child.kill('SIGKILL');
      throw new Error(`${file} did not answer in time.`);
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

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health`)).ok;
  } catch {
    return false;
  }
}
