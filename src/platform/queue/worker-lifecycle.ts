import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { QueueWorker } from './queue-worker.js';

/** Starts the worker at boot and stops it at shutdown, while the database is still connected. */
export class WorkerLifecycle implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly worker: QueueWorker,
    private readonly reconcileEveryMs: number,
  ) {}

  onApplicationBootstrap(): void {
    this.worker.start(this.reconcileEveryMs);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.worker.stop();
  }
}
