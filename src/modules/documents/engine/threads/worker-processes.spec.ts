import { afterEach, expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { tookTooLong, tookTooMuchMemory, WorkerThreads } from './worker-threads.js';

const WORKER = new URL(
  `data:text/javascript,${encodeURIComponent(`
    export const echo = (input) => ({ ...input, pid: process.pid, env: Object.keys(process.env) });
    export const fail = () => { throw new RangeError('too much'); };
    export const block = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    export const spin = () => { for (;;); };
    export const grow = () => { const list = []; for (;;) list.push(list.length); };
    export const fill = () => { const list = []; for (;;) list.push(Buffer.alloc(2 ** 24, 1)); };
    export const abort = () => process.abort();
    export const leave = () => process.exit(3);
  `)}`,
);
const OPTIONS = {
  what: 'result',
  worker: WORKER,
  threads: 1,
  idleMs: 1_000,
  timeoutMs: 60_000,
  maxWaiting: 9,
  maxHeapMb: 32,
  maxMemoryMb: 300,
  maxCpuMs: 60_000,
};

let processes: WorkerThreads | undefined;
afterEach(() => processes?.close());

function start(over: Partial<typeof OPTIONS> = {}): WorkerThreads {
  processes = new WorkerThreads({ ...OPTIONS, ...over, inProcesses: true });
  return processes;
}

interface Echo {
  bytes: Uint8Array;
  pid: number;
  env: string[];
}

const echo = (pool: WorkerThreads) => pool.run<Echo>('echo', { bytes: Buffer.from('abc') });
const failure = (pool: WorkerThreads, name: string) => pool.run(name, {}).catch((error: unknown) => error as Error);

test('jobs run one after the other in a process that knows no secrets', async () => {
  const pool = start();
  const [one, other] = [await echo(pool), await echo(pool)];
  expect([one.pid === process.pid, other.pid === one.pid, Buffer.from(one.bytes).toString()]).toEqual([false, true, 'abc']);
  expect(one.env).toEqual(['NODE_COMPILE_CACHE']);
  expect(await failure(pool, 'fail')).toMatchObject({ name: 'RangeError', message: 'too much' });
  expect((await echo(pool)).pid).toBe(one.pid);
});

test('a process that was idle for too long gets no job while it ends', async () => {
  const pool = start({ idleMs: 50 });
  const { pid } = await echo(pool);
  const later = sleep(50).then(() => echo(pool));
  // both times are over when the event loop goes on, so the job comes before the end of the process is noticed
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  expect((await later).pid).not.toBe(pid);
});

test('a process that V8 or a library ends takes nothing with it, and the next job gets another one', async () => {
  const pool = start();
  const { pid } = await echo(pool);
  for (const way of ['grow', 'abort']) expect([way, tookTooMuchMemory(await failure(pool, way))]).toEqual([way, true]);
  const left = await failure(pool, 'leave');
  expect([tookTooMuchMemory(left), left]).toEqual([false, expect.objectContaining({ message: expect.stringContaining('ended (3)') })]);
  expect((await echo(pool)).pid).not.toBe(pid);
});

test('a process that does not answer in time is ended, which is no fault of its file', async () => {
  const late = await failure(start({ timeoutMs: 2_000 }), 'block');
  expect([tookTooLong(late), late]).toEqual([false, expect.objectContaining({ spec: expect.objectContaining({ status: 503 }) })]);
});

test('a process that computes for too long is ended', async () => {
  expect(tookTooLong(await failure(start({ maxCpuMs: 300 }), 'spin'))).toBe(true);
});

// only Linux says how much memory another process has
(existsSync('/proc/self/statm') ? test : test.skip)('memory beside the heap is limited as well', async () => {
  expect(tookTooMuchMemory(await failure(start(), 'fill'))).toBe(true);
});
