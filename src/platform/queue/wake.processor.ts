import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import { Logger } from '@nestjs/common';
import type { Job } from 'bullmq';
import { WAKES } from './wakes.js';
import { WorkLoops } from './work-loops.js';

/** The workers' end of the queue. A job is done as soon as it has woken its loop. */
@Processor(WAKES, { concurrency: 4 })
export class WakeProcessor extends WorkerHost {
  private readonly log = new Logger('Queue');

  constructor(private readonly loops: WorkLoops) {
    super();
  }

  override process(job: Job): Promise<void> {
    this.loops.wake(job.name);
    return Promise.resolve();
  }

  @OnWorkerEvent('error')
  onError(error: Error): void {
    this.log.debug(`The queue does not answer: ${error.message}`);
  }
}
