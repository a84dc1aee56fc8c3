import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { WorkLoops } from './work-loops.js';

/** Lets the loops of a worker run from the boot to the shutdown, and ends them while the database is still there. */
export class WorkerStart implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly loops: WorkLoops,
    private readonly everyMs: number,
  ) {}

  onApplicationBootstrap(): void {
    this.loops.start(this.everyMs);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.loops.stop();
  }
}
