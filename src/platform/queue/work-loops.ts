import { Injectable, Logger } from '@nestjs/common';

/** Something that stands in PostgreSQL with the time it is due. */
export interface DueWork {
  /** The name of the jobs that wake it. */
  readonly name: string;
  /** Does a portion of what is due; answers whether there may be more that can be done at once. */
  turn(): Promise<boolean>;
  /** Sets right what no wake tells of: retries whose time has come, leases of workers that fell silent. */
  maintain?(): Promise<void>;
  /** Waits for what is on its way. */
  drain?(): Promise<void>;
}

/**
 * Runs the due work of a worker process: whenever a job of the queue says "look now", and at short intervals by itself, for
 * jobs may be lost.
 */
@Injectable()
export class WorkLoops {
  private readonly log = new Logger('Worker');
  private readonly loops = new Map<string, Loop>();
  private timer: NodeJS.Timeout | undefined;
  private reconciling: Promise<void> | undefined;

  register(work: DueWork): void {
    this.loops.set(work.name, new Loop(work, this.log));
  }

  start(everyMs: number): void {
    for (const loop of this.loops.values()) loop.open = true;
    this.timer = setInterval(() => this.reconcile(), everyMs).unref();
    this.reconcile();
  }

  wake(name: string): void {
    this.loops.get(name)?.wake();
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

class Loop {
  open = false;
  private again = false;
  private running: Promise<void> | undefined;

  constructor(
    private readonly work: DueWork,
    private readonly log: Logger,
  ) {}

  wake(): void {
    this.again = true;
    if (this.open) this.running ??= this.run();
  }

  async maintain(): Promise<void> {
    try {
      await this.work.maintain?.();
    } catch (error) {
      this.warn(error);
    }
    this.wake();
  }

  async drain(): Promise<void> {
    await this.running;
    await this.work.drain?.();
  }

  private async run(): Promise<void> {
    try {
      while (this.again && this.open) {
        this.again = false;
        while (this.open && (await this.work.turn()));
      }
    } catch (error) {
      // what was due still is, and the reconciler looks again
      this.warn(error);
    } finally {
      this.running = undefined;
    }
  }

  private warn(error: unknown): void {
    this.log.warn(`${this.work.name}: ${(error as Error).message}`);
  }
}
