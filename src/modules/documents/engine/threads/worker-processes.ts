import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { compileCache } from './compile-cache.js';
import type { Answer, Call } from './process-entry.js';

/** How V8 and the kernel end a process that does what its file makes it do. */
const CRASHES = new Set<NodeJS.Signals | null>(['SIGABRT', 'SIGTRAP', 'SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE']);
const ABORTED = 134;
/** The code of the error if a job took longer than its limits. */
export const OUT_OF_TIME = 'ERR_WORKER_OUT_OF_TIME';
const WATCH_MS = 100;
const PAGE_BYTES = 4096;
/** Linux counts CPU time in hundredths of a second. */
const TICK_MS = 10;
/** Places of the times in user and kernel mode in /proc/<pid>/stat, behind the name of the program. */
const USER_TIME = 11;
const KERNEL_TIME = 12;

interface ProcessOptions {
  /** Calls the functions of the worker. */
  entry: URL;
  worker: URL;
  idleMs: number;
  maxHeapMb?: number;
  maxMemoryMb?: number;
  maxCpuMs?: number;
}

/**
 * Runs the functions of a worker in processes of their own. A file can end such a process, by an allocation that V8 does not survive or
 * by a fault of a native library, but not the service. Runs as many processes as there are jobs at once.
 */
export class WorkerProcesses {
  private readonly idle: Worker[] = [];
  private readonly all = new Set<Worker>();

  constructor(private readonly options: ProcessOptions) {}

  async run(input: object, { name, signal }: { name: string; signal: AbortSignal }): Promise<unknown> {
    let worker = this.idle.pop();
    // one that was ended stays in the list until its end is noticed
    while (worker && !worker.isAlive) worker = this.idle.pop();
    worker ??= this.start();
    try {
      return await worker.run({ name, input }, signal);
    } finally {
      if (worker.isAlive) this.idle.push(worker);
    }
  }

  async destroy(): Promise<void> {
    await Promise.all([...this.all].map((worker) => worker.stop()));
  }

  private start(): Worker {
    const worker = new Worker(this.options, () => {
      this.all.delete(worker);
      const at = this.idle.indexOf(worker);
      if (at >= 0) this.idle.splice(at, 1);
    });
    this.all.add(worker);
    return worker;
  }
}

class Worker {
  isAlive = true;
  private tookTooMuch = false;
  private tookTooLong = false;
  /** At the start of the job; null where the system does not say it. */
  private cpuBefore: number | null = null;
  private readonly child: ChildProcess;
  private readonly ended: Promise<unknown>;
  private stopping: NodeJS.Timeout | undefined;

  constructor(
    private readonly options: ProcessOptions,
    onEnd: () => void,
  ) {
    const { entry, worker, maxHeapMb } = options;
    this.child = fork(entry, [worker.href], {
      // without threads that collect garbage, the trial of a file of 20 pages takes a fifth less CPU, and that of 100 pages as much
      execArgv: ['--single-threaded-gc', ...(maxHeapMb === undefined ? [] : [`--max-old-space-size=${maxHeapMb}`])],
      env: compileCache(),
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.ended = once(this.child, 'exit').catch(() => undefined);
    // `error`: it could not be started, or a message could not be sent
    for (const event of ['exit', 'error'])
      this.child.on(event, () => {
        this.isAlive = false;
        clearTimeout(this.stopping);
        onEnd();
      });
  }

  async run(call: Call, signal: AbortSignal): Promise<unknown> {
    clearTimeout(this.stopping);
    this.hold(true);
    this.cpuBefore = this.cpuTime();
    const watch = setInterval(() => this.watchLimits(), WATCH_MS);
    const onAbort = () => {
      // a process that has used less than its CPU time waits for a busy machine, which is no fault of its file
      this.tookTooLong ||= this.cpuBefore === null;
      this.kill();
    };
    signal.addEventListener('abort', onAbort);
    try {
      const answer = await this.answer(call);
      signal.throwIfAborted();
      if ('error' in answer) throw Object.assign(new Error(answer.error.message), answer.error);
      return answer.result;
    } finally {
      clearInterval(watch);
      signal.removeEventListener('abort', onAbort);
      this.hold(false);
      this.stopping = setTimeout(() => this.kill(), this.options.idleMs).unref();
    }
  }

  async stop(): Promise<void> {
    this.hold(true);
    this.kill();
    await this.ended;
  }

  private answer(call: Call): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const settle = (done: () => void) => {
        this.child.off('message', onMessage).off('exit', onExit).off('error', reject);
        done();
      };
      const onMessage = (answer: Answer) => settle(() => resolve(answer));
      const onExit = (code: number | null, signal: NodeJS.Signals | null) => settle(() => reject(this.endedBy(code, signal)));
      this.child.on('message', onMessage).on('exit', onExit).on('error', reject);
      this.child.send(call);
    });
  }

  private endedBy(code: number | null, signal: NodeJS.Signals | null): Error {
    const error = new Error(`A process that reads files ended (${signal ?? code}).`);
    if (this.tookTooLong) return Object.assign(error, { code: OUT_OF_TIME });
    const isOfFile = this.tookTooMuch || CRASHES.has(signal) || code === ABORTED;
    return isOfFile ? Object.assign(error, { code: 'ERR_WORKER_OUT_OF_MEMORY' }) : error;
  }

  /** The limit of the heap does not count what native code allocates. */
  private watchLimits(): void {
    const { maxMemoryMb = Infinity, maxCpuMs = Infinity } = this.options;
    const bytes = Number(this.stateOf('statm')?.split(' ')[1] ?? 0) * PAGE_BYTES;
    this.tookTooMuch ||= bytes > maxMemoryMb * 2 ** 20;
    this.tookTooLong ||= (this.cpuTime() ?? 0) - (this.cpuBefore ?? 0) > maxCpuMs;
    if (this.tookTooMuch || this.tookTooLong) this.kill();
  }

  /** In milliseconds. */
  private cpuTime(): number | null {
    const stat = this.stateOf('stat');
    const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields ? TICK_MS * (Number(fields[USER_TIME]) + Number(fields[KERNEL_TIME])) : null;
  }

  /** Only Linux says what another process takes; null elsewhere. These files are in memory. */
  private stateOf(file: 'stat' | 'statm'): string | null {
    try {
      return readFileSync(`/proc/${this.child.pid}/${file}`, 'latin1');
    } catch {
      return null;
    }
  }

  /** At once: it may be in a loop. */
  private kill(): void {
    this.isAlive = false;
    this.child.kill('SIGKILL');
  }

  /** An idle process does not keep the service from ending. */
  private hold(isBusy: boolean): void {
    if (isBusy) this.child.ref();
    else this.child.unref();
    if (isBusy) this.child.channel?.ref();
    else this.child.channel?.unref();
  }
}
