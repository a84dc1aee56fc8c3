import { Global, Module } from '@nestjs/common';
import { Purge } from './purge.js';
import { ScheduledJobRunner } from './scheduled-job-runner.js';

/** Work that runs at intervals: the modules' scheduled jobs, and the purge. Needs the registry, the queue and persistence. */
@Global()
@Module({ providers: [ScheduledJobRunner, Purge] })
export class ScheduledJobsModule {}
