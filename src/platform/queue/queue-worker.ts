import { Injectable, Logger } from '@nestjs/common';
import { Progress } from '../health/progress.js';

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

  constructor(private readonly progress: Progress) {}

  register(queue: WorkQueue): void {
    this.loops.set(queue.name, new Loop(queue, this.log, this.progress));
  }

  start(everyMs: number): void {
    const loops = [...this.loops.values()];
    for (const loop of loops) loop.start();
    // each on its own: a queue whose maintenance does not end must not stop the others
    const reconcile = () => loops.forEach((loop) => loop.reconcile());
    this.timer = setInterval(reconcile, everyMs).unref();
    reconcile();
  }

  notify(name: string): void {
    this.loops.get(name)?.notify();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await Promise.all([...this.loops.values()].map((loop) => loop.drain()));
  }
}

/** Runs batches of one queue, one at a time, beside its maintenance. */
class Loop {
  private open = false;
  private notified = false;
  private maintaining: Promise<void> | undefined;
  private running: Promise<void> | undefined;

  constructor(
    private readonly queue: WorkQueue,
    private readonly log: Logger,
    private readonly progress: Progress,
  ) {}

  start(): void {
    this.open = true;
    this.progress.expect(this.queue.name);
  }

  notify(): void {
    this.notified = true;
    if (this.open) this.running ??= this.run();
  }

  /** Looks for due rows, and again once the maintenance has released some. */
  reconcile(): void {
    if (!this.queue.maintain || this.maintaining) return this.notify();
    this.maintaining = this.queue
      .maintain()
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
