import { BullModule } from '@nestjs/bullmq';
import { Global, Module, type DynamicModule } from '@nestjs/common';
import { InternalEvents, Jobs } from '../../kit/index.js';
import type { AppConfig } from '../config/settings.js';
import { DeclaredInternalEvents } from './declared-internal-events.js';
import { JobRunner } from './job-runner.js';
import { JobTable } from './job-table.js';
import { queueConnection, WakeQueue, WakeWorker } from './queue-backend.js';
import { ScheduledJobRunner } from './scheduled-job-runner.js';
import { WakeProcessor } from './wake.processor.js';
import { Wakes, WAKES } from './wakes.js';
import { WorkLoops } from './work-loops.js';
import { WorkerStart } from './worker-start.js';

type QueueSettings = Pick<AppConfig, 'redisUrl' | 'appRole' | 'queueReconcileMs'>;

/** The queue, the loops it wakes, and the modules' own jobs and scheduled jobs. */
@Global()
@Module({})
export class QueueModule {
  static register(config: QueueSettings, databaseUrl: string): DynamicModule {
    BullModule.queueClass = WakeQueue;
    BullModule.workerClass = WakeWorker;
    const works = config.appRole !== 'api';
    return {
      module: QueueModule,
      imports: [
        BullModule.forRoot({ connection: queueConnection(config, databaseUrl) as never }),
        BullModule.registerQueue({ name: WAKES }),
      ],
      providers: [
        Wakes,
        WorkLoops,
        JobTable,
        JobRunner,
        ScheduledJobRunner,
        { provide: Jobs, useExisting: JobTable },
        DeclaredInternalEvents,
        { provide: InternalEvents, useExisting: DeclaredInternalEvents },
        ...(works
          ? [
              WakeProcessor,
              {
                provide: WorkerStart,
                useFactory: (loops: WorkLoops) => new WorkerStart(loops, config.queueReconcileMs),
                inject: [WorkLoops],
              },
            ]
          : []),
      ],
      exports: [Wakes, WorkLoops, InternalEvents, Jobs],
    };
  }
}
