import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { inWork } from '../../kit/internal.js';
import { TaskWork } from '../logging/task-work.js';
import { Progress } from '../health/progress.js';
import { WorkerPresence } from './worker-presence.js';

const RETRY_START_MS = 1_000;

/** A queue in PostgreSQL: rows with a due time. */
export interface WorkQueue {
  /** The name of the notifications for this queue. */
  readonly name: string;
  /** Claims and starts a batch of due rows. Resolves to whether another batch can be started immediately. */
  runBatch(): Promise<boolean>;
  /** Called at intervals: releases rows for which no notification is sent, such as retries and expired leases. */
  maintain?(): Promise<void>;
  /** Waits for the work in flight. */
  drain?(): Promise<void>;
}

/** Processes the queues of a worker: at each notification, and at short intervals, because notifications may be lost. */
@Injectable()
export class QueueWorker {
  private readonly log = new Logger('Worker');
  private readonly loops = new Map<string, Loop>();
  private timer: NodeJS.Timeout | undefined;
  private starting: Promise<void> | undefined;
  private stopped = false;

  constructor(
    private readonly progress: Progress,
    private readonly presence: WorkerPresence,
  ) {}

  /** Identifies the leases of this worker. */
  get id(): string {
    return this.presence.id;
  }

  register(queue: WorkQueue): void {
    this.loops.set(queue.name, new Loop(queue, this.log, this.progress));
  }

  start(everyMs: number): void {
    this.starting = this.begin(everyMs);
  }

  notify(name: string): void {
    this.loops.get(name)?.notify();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.starting;
    await Promise.all([...this.loops.values()].map((loop) => loop.drain()));
    await this.presence.end();
  }

  private async begin(everyMs: number): Promise<void> {
    const loops = [...this.loops.values()];
    // each on its own: a queue whose maintenance does not end must not stop the others
    const reconcile = () => loops.forEach((loop) => loop.reconcile());
    while (!this.stopped) {
      try {
        await this.presence.begin(reconcile);
        break;
      } catch (error) {
        this.log.warn(`The worker cannot start yet: ${(error as Error).message}`);
        await this.presence.end();
        await sleep(RETRY_START_MS, undefined, { ref: false });
      }
    }
    if (this.stopped) return;
    for (const loop of loops) loop.start();
    this.timer = setInterval(reconcile, everyMs).unref();
    reconcile();
  }
}

/** Runs batches of one queue, one at a time, beside its maintenance. */
class Loop {
  private open = false;
  private notified = false;
  private maintaining: Promise<void> | undefined;
  private running: Promise<void> | undefined;
  private readonly work: TaskWork;

  constructor(
    private readonly queue: WorkQueue,
    private readonly log: Logger,
    private readonly progress: Progress,
  ) {
    this.work = new TaskWork(`queue ${queue.name}`, {});
  }

  start(): void {
    this.open = true;
    this.progress.expect(this.queue.name);
  }

  notify(): void {
    this.notified = true;
    if (this.open) this.running ??= inWork(this.work, () => this.run());
  }

  /** Looks for due rows, and again once the maintenance has released some. */
  reconcile(): void {
    if (!this.queue.maintain || this.maintaining) return this.notify();
    const maintain = this.queue.maintain.bind(this.queue);
    this.maintaining = inWork(this.work, maintain)
      .catch((error) => this.warn(error))
      .then(() => {
        this.maintaining = undefined;
        this.notify();
      });
  }

  async drain(): Promise<void> {
    this.open = false;
    this.progress.forget(this.queue.name);
    await Promise.all([this.maintaining, this.running]);
    await this.queue.drain?.();
  }

  private async run(): Promise<void> {
    try {
      while (this.notified && this.open) {
        this.notified = false;
        while (this.open && (await this.queue.runBatch())) this.progress.made(this.queue.name);
        this.progress.made(this.queue.name);
      }
    } catch (error) {
      // due rows stay due; the next poll tries again
      this.warn(error);
    } finally {
      this.running = undefined;
    }
  }

  private warn(error: unknown): void {
    this.log.warn(`${this.queue.name}: ${(error as Error).message}`);
  }
}
