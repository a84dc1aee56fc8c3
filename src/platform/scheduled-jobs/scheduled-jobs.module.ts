import { Global, Module } from '@nestjs/common';
import { PurgeTestRows } from './purge-test-rows.js';
import { Purge } from './purge.js';
import { TestDataController } from './test-data.controller.js';
import { ScheduledJobRunner } from './scheduled-job-runner.js';

/** Work that runs at intervals: the modules' scheduled jobs, and the purges. Needs the registry, the queue and persistence. */
@Global()
@Module({ controllers: [TestDataController], providers: [ScheduledJobRunner, Purge, PurgeTestRows], exports: [ScheduledJobRunner] })
export class ScheduledJobsModule {}
