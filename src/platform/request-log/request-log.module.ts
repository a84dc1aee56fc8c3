import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AnalyticsService } from './analytics.service.js';
import { CountedDays } from './counted-days.js';
import { KeptBodies } from './kept-bodies.js';
import { OverviewService } from './overview.service.js';
import { RequestLogRow } from './request-log.entity.js';
import { RequestLog } from './request-log.js';
import { RequestLogsController } from './request-logs.controller.js';
import { RequestLogsService } from './request-logs.service.js';

/** The request log: written by the HTTP pipeline, read in the developer area. Needs Store from a global module. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([RequestLogRow])],
  controllers: [RequestLogsController],
  providers: [RequestLog, KeptBodies, RequestLogsService, CountedDays, AnalyticsService, OverviewService],
  exports: [RequestLog, KeptBodies],
})
export class RequestLogModule {}
