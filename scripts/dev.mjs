// work-suite dev: runs the suite, and at every change compiles it, starts it anew and checks its types.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, watch } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BUILD_FAILED, compile, IN_REPOSITORY, install, onReaderEnd, onShellEnd, pinnedNode, PROJECT, StepFailed } from './prepare.mjs';
import { MALLOC, nodeArguments } from './start.mjs';

const WATCHED = ['src', 'migrations', 'config', 'suite.config.ts', '.env'];
/** A restart does not wait for what only readers of the documentation and MCP clients need. */
const ON_DEMAND = { API_DOCUMENTS: 'on-demand' };
/** The keys have been printed already. */
const RESTARTED = { DEMO_BANNER: 'line' };
/** Most of what a start creates is garbage at its end: in dev, it is collected once or twice. It takes 100 MB more memory. */
const LARGE_NURSERY = ['--min-semi-space-size=32', '--max-semi-space-size=64'];
/** Editors write a file in several steps, and several files at once. */
const QUIET_MS = 50;
const TSC = join(PROJECT, 'node_modules', IN_REPOSITORY ? 'typescript-native' : 'typescript', 'bin', 'tsc');

export async function run(args) {
  await install();
  const ending = new AbortController();
  const ended = once(ending.signal, 'abort');
  let suite;
  let checking;
  let isRestart = false;
  const end = (signal) => {
    ending.abort();
    suite?.kill(signal);
  };
  // the terminal sends Ctrl-C to the suite as well
  process.on('SIGINT', () => end(process.stdin.isTTY ? 0 : 'SIGINT'));
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => end('SIGINT'));
  onShellEnd(() => end('SIGINT'));
  onReaderEnd(() => end('SIGINT'));
  while (!ending.signal.aborted) {
    const change = nextChange();
    const isBuilt = await compile(compileHere).then(
      () => true,
      (error) => {
        if (!(error instanceof StepFailed)) throw error;
        console.error(error.message);
        return false;
      },
    );
    checking?.kill();
    if (isBuilt) {
      suite = spawn(pinnedNode(), [...nodeArguments(LARGE_NURSERY), ...args], {
        cwd: PROJECT,
        stdio: 'inherit',
        env: { ...MALLOC, ...ON_DEMAND, ...(isRestart && RESTARTED), ...process.env },
      });
      checking = typecheck();
    }
    const running = suite;
    const exit = running && new Promise((resolve) => running.once('exit', (code) => resolve(code ?? 1)));
    const code = await Promise.race([change, ended.then(() => exit), ...(exit ? [exit] : [])]);
    if (ending.signal.aborted) {
      checking?.kill();
      return (await exit) ?? 0;
    }
    if (code !== undefined) {
      console.error(`The suite ended with exit code ${code}; it starts again after the next change.`);
      await Promise.race([change, ended]);
    } else if (exit) {
      // at once: the embedded PostgreSQL keeps running for the next start
      running.kill('SIGKILL');
      await exit;
      isRestart = true;
    }
    suite = undefined;
  }
  return 0;
}

/** In this process, which compiles again and again: without the start of another one, the files of a project take a moment. */
async function compileHere(paths) {
  const { compileInto, messageOf } = await import('./compiler.mjs');
  await compileInto(PROJECT, paths).catch((error) => {
    throw new StepFailed(`${messageOf(error)}\n${BUILD_FAILED}`);
  });
}

/** Resolves soon after a file of the project has changed. */
function nextChange() {
  const paths = WATCHED.map((name) => join(PROJECT, name)).filter((path) => existsSync(path));
  return new Promise((resolve) => {
    const changed = async () => {
      for (const watcher of watchers) watcher.close();
      await sleep(QUIET_MS);
      resolve();
    };
    const watchers = paths.map((path) => watch(path, { recursive: true }, changed));
  });
}

/** In the background, with low priority; says what is wrong. */
function typecheck() {
  if (!existsSync(TSC)) return undefined;
  const child = spawn(pinnedNode(), [TSC, '-p', '.', '--noEmit', '--pretty', 'false'], {
    cwd: PROJECT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.once('close', (code) => {
    if (code) console.error(`\n${output}`);
  });
  return child;
}
