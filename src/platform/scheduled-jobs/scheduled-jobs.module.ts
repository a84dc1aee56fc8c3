import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EraseTestData } from './erase-test-data.job.js';
import { PurgeTestRows } from './purge-test-rows.js';
import { Purge } from './purge.js';
import { TestDataController } from './test-data.controller.js';
import { ScheduledJobRunner } from './scheduled-job-runner.js';
import { TestDataErasure } from './test-data-erasure.entity.js';
import { TestDataService } from './test-data.service.js';

/** Work that runs at intervals: the modules' scheduled jobs, and the purges. Needs the registry, the queue and persistence. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([TestDataErasure])],
  controllers: [TestDataController],
  providers: [ScheduledJobRunner, Purge, PurgeTestRows, TestDataService, EraseTestData],
  exports: [ScheduledJobRunner],
})
export class ScheduledJobsModule {}
