import { Global, Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { AppConfig } from '../config/settings.js';
import { AnalyticsService } from './analytics.service.js';
import { REQUEST_LOG_RETENTION_DAYS, RequestLogPurge } from './request-log-purge.js';
import { RequestLogRow } from './request-log.entity.js';
import { RequestLog } from './request-log.js';
import { RequestLogsController } from './request-logs.controller.js';
import { RequestLogsService } from './request-logs.service.js';

/** The request log: written by the pipeline, read in the developer area. Needs Store from a global module. */
@Global()
@Module({})
export class RequestLogModule {
  static register({ requestLogRetentionDays }: Pick<AppConfig, 'requestLogRetentionDays'>): DynamicModule {
    return {
      module: RequestLogModule,
      imports: [TypeOrmModule.forFeature([RequestLogRow])],
      controllers: [RequestLogsController],
      providers: [
        { provide: REQUEST_LOG_RETENTION_DAYS, useValue: requestLogRetentionDays },
        RequestLog,
        RequestLogPurge,
        RequestLogsService,
        AnalyticsService,
      ],
      exports: [RequestLog],
    };
  }
}
