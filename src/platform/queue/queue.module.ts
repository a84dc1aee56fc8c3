import { BullModule } from '@nestjs/bullmq';
import { Global, Module, type DynamicModule } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Jobs } from '../../kit/index.js';
import type { AppConfig } from '../config/settings.js';
import { JobRunner } from './job-runner.js';
import { JobTable } from './job-table.js';
import { queueConnection, NotificationQueue, NotificationWorker } from './queue-backend.js';
import { NotificationProcessor } from './notification.processor.js';
import { JobNotifier, NOTIFICATIONS } from './job-notifier.js';
import { QueueWorker } from './queue-worker.js';
import { WorkerPresence } from './worker-presence.js';
import { WorkerLifecycle } from './worker-lifecycle.js';

type QueueSettings = Pick<AppConfig, 'redisUrl' | 'redisPrefix' | 'appRole' | 'queueReconcileMs'>;

/** Work outside of requests: notifications, the worker's queues, and the modules' jobs. */
@Global()
@Module({})
export class QueueModule {
  static register(config: QueueSettings, databaseUrl: string): DynamicModule {
    BullModule.queueClass = NotificationQueue;
    BullModule.workerClass = NotificationWorker;
    const works = config.appRole !== 'api';
    return {
      module: QueueModule,
      imports: [
        BullModule.forRoot({ connection: queueConnection(config, databaseUrl) as never, prefix: `${config.redisPrefix}bull` }),
        BullModule.registerQueue({ name: NOTIFICATIONS }),
      ],
      providers: [
        JobNotifier,
        { provide: WorkerPresence, useFactory: () => new WorkerPresence(databaseUrl) },
        QueueWorker,
        JobTable,
        JobRunner,
        { provide: Jobs, useExisting: JobTable },
        ...(works
          ? [
              NotificationProcessor,
              {
                provide: WorkerLifecycle,
                useFactory: (server: HttpAdapterHost, worker: QueueWorker) => new WorkerLifecycle(server, worker, config.queueReconcileMs),
                inject: [HttpAdapterHost, QueueWorker],
              },
            ]
          : []),
      ],
      exports: [JobNotifier, QueueWorker, Jobs],
    };
  }
}
