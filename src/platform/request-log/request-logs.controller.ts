import { Controller, Get, Query } from '@nestjs/common';
import { Ctx, Endpoint, Id, listBody, type ListBody } from '../../kit/index.js';
import { AnalyticsDto, AnalyticsQuery } from './analytics.dto.js';
import { AnalyticsService } from './analytics.service.js';
import { OverviewDto, OverviewQuery } from './overview.dto.js';
import { OverviewService } from './overview.service.js';
import { RequestBodiesDto, RequestLogDto, RequestLogsQuery } from './request-logs.dto.js';
import { RequestLogsService } from './request-logs.service.js';

const permission = 'org.developer.logs.view';

@Controller('api/v1/org/developer')
export class RequestLogsController {
  constructor(
    private readonly logs: RequestLogsService,
    private readonly analytics: AnalyticsService,
    private readonly figures: OverviewService,
  ) {}

  @Get('logs')
  @Endpoint({
    operation: 'list_request_logs',
    summary: 'List logged requests',
    permission,
    returns: RequestLogDto,
    list: true,
    description:
      'Every call with an API key, refused ones too (over a limit as a count per minute), a second after it; with plane=product, what ' +
      'signed-in members changed. Entries are kept for a limited number of days.',
  })
  async list(@Ctx() ctx: Ctx, @Query() query: RequestLogsQuery): Promise<ListBody<RequestLogDto>> {
    return listBody(await this.logs.page(ctx, query), RequestLogDto.from);
  }

  @Get('logs/:id')
  @Endpoint({
    operation: 'get_request_log',
    summary: 'Get a logged request',
    permission,
    returns: RequestLogDto,
  })
  async get(@Ctx() ctx: Ctx, @Id() id: string): Promise<RequestLogDto> {
    return RequestLogDto.from(await this.logs.get(ctx, id));
  }

  @Get('logs/:id/bodies')
  @Endpoint({
    operation: 'get_request_bodies',
    summary: 'Get the bodies of a logged request',
    permission,
    returns: RequestBodiesDto,
    description:
      'Kept for 7 days, encrypted, up to 16 KiB each: those of test calls, and of live calls that failed, unless the organization ' +
      'chose otherwise (kept_bodies).',
  })
  bodies(@Ctx() ctx: Ctx, @Id() id: string): Promise<RequestBodiesDto> {
    return this.logs.bodies(ctx, id);
  }

  @Get('analytics')
  @Endpoint({
    operation: 'get_request_analytics',
    summary: 'Count calls over time',
    permission,
    returns: AnalyticsDto,
    description:
      'Calls per hour or day, per route, per status and per key, with error rates and latencies, over at most 31 ' +
      'days of what the log still keeps.',
  })
  read(@Ctx() ctx: Ctx, @Query() query: AnalyticsQuery): Promise<AnalyticsDto> {
    return this.analytics.read(ctx, query);
  }

  @Get('overview')
  @Endpoint({
    operation: 'get_request_overview',
    summary: 'Get statistics of the last 24 hours',
    permission,
    returns: OverviewDto,
    description: 'Calls per hour, failures grouped by error, route and key, and the keys that ran into a rate limit.',
  })
  overview(@Ctx() ctx: Ctx, @Query() query: OverviewQuery): Promise<OverviewDto> {
    return this.figures.read(ctx, query);
  }
}
