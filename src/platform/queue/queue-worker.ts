import { Injectable, Logger } from '@nestjs/common';

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
  private reconciling: Promise<void> | undefined;

  register(queue: WorkQueue): void {
    this.loops.set(queue.name, new Loop(queue, this.log));
  }

  start(everyMs: number): void {
    for (const loop of this.loops.values()) loop.open = true;
    this.timer = setInterval(() => this.reconcile(), everyMs).unref();
    this.reconcile();
  }

  notify(name: string): void {
    this.loops.get(name)?.notify();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    for (const loop of this.loops.values()) loop.open = false;
    await this.reconciling;
    await Promise.all([...this.loops.values()].map((loop) => loop.drain()));
  }

  private reconcile(): void {
    this.reconciling ??= Promise.all([...this.loops.values()].map((loop) => loop.maintain())).then(() => {
      this.reconciling = undefined;
    });
  }
}

/** Runs batches of one queue, one at a time. */
class Loop {
  open = false;
  private notified = false;
  private running: Promise<void> | undefined;

  constructor(
    private readonly queue: WorkQueue,
    private readonly log: Logger,
  ) {}

  notify(): void {
    this.notified = true;
    if (this.open) this.running ??= this.run();
  }

  async maintain(): Promise<void> {
    try {
      await this.queue.maintain?.();
    } catch (error) {
      this.warn(error);
    }
    this.notify();
  }

  async drain(): Promise<void> {
    await this.running;
    await this.queue.drain?.();
  }

  private async run(): Promise<void> {
    try {
      while (this.notified && this.open) {
        this.notified = false;
        while (this.open && (await this.queue.runBatch()));
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
