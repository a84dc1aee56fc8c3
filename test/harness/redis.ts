import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { explainSkippedTests } from './skipped-tests.js';

export interface TestRedis {
  url: string;
  stop(): Promise<void>;
}

/** A server that the test owns, and may freeze by its pid, or stop and restart on its port. */
export interface OwnRedis extends TestRedis {
  port: number;
  pid: number;
}

/** The server at `REDIS_URL`, else a new one; null, with the reason printed, if Redis is not installed. */
export async function startRedis(): Promise<TestRedis | null> {
  const url = process.env.REDIS_URL;
  return url ? { url, stop: async () => undefined } : startOwnRedis();
}

/**
 * Whether Redis is installed; if not, says so. For a `describe` that starts it in its `beforeAll`: started earlier, it would never
 * end if no test of the `describe` is selected, and keep jest from exiting.
 */
export function hasRedis(): boolean {
  const { error } = spawnSync('redis-server', ['--version'], { stdio: 'ignore' });
  if (error) explainSkippedTests(`Tests that need Redis are skipped: ${error.message}`);
  return !error;
}

export async function startOwnRedis(port?: number): Promise<OwnRedis | null> {
  const chosen = port ?? (await freePort());
  const dir = await mkdtemp(join(tmpdir(), 'test-redis-'));
  const server = spawn('redis-server', ['--port', `${chosen}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const failure = await readiness(server);
  if (failure !== null) {
    await rm(dir, { recursive: true });
    explainSkippedTests(`Tests that need Redis are skipped: ${failure}`);
    return null;
  }
  return {
    url: `redis://127.0.0.1:${chosen}`,
    port: chosen,
    pid: server.pid!,
    async stop() {
      if (server.exitCode === null && server.signalCode === null) {
        const ended = once(server, 'exit');
        server.kill('SIGKILL');
        await ended;
      }
      await rm(dir, { recursive: true, force: true });
    },
  };
}

function readiness(server: ChildProcess): Promise<string | null> {
  return new Promise((resolve) => {
    let output = '';
    server.on('error', (error) => resolve(error.message));
    server.on('exit', (code) => resolve(`redis-server ended with ${code}: ${output}`));
    server.stdout!.on('data', (chunk) => {
      output += chunk;
      if (output.includes('Ready to accept connections')) resolve(null);
    });
  });
}
