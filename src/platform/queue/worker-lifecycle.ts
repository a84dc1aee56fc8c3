import type { BeforeApplicationShutdown, OnModuleInit } from '@nestjs/common';
import type { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import type { QueueWorker } from './queue-worker.js';

/**
 * Starts the worker once the process listens, so that a failed boot has not started any work, and stops it at shutdown, while
 * the database is still connected.
 */
export class WorkerLifecycle implements OnModuleInit, BeforeApplicationShutdown {
  constructor(
    private readonly server: HttpAdapterHost,
    private readonly worker: QueueWorker,
    private readonly reconcileEveryMs: number,
  ) {}

  onModuleInit(): void {
    this.server.httpAdapter.getInstance<FastifyInstance>().addHook('onListen', (done) => {
      this.worker.start(this.reconcileEveryMs);
      done();
    });
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.worker.stop();
  }
}
