import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import { Logger } from '@nestjs/common';
import type { Job } from 'bullmq';
import { NOTIFICATIONS } from './job-notifier.js';
import { QueueWorker } from './queue-worker.js';

/** Receives notifications on a worker. The BullMQ job is complete once the notification is passed on. */
@Processor(NOTIFICATIONS, { concurrency: 4 })
export class NotificationProcessor extends WorkerHost {
  private readonly log = new Logger('Queue');

  constructor(private readonly queues: QueueWorker) {
    super();
  }

  override process(job: Job): Promise<void> {
    this.queues.notify(job.name);
    return Promise.resolve();
  }

  @OnWorkerEvent('error')
  onError(error: Error): void {
    this.log.debug(`The queue is not available: ${error.message}`);
  }
}
