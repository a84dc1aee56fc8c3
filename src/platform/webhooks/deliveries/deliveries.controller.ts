import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id, listBody, type ListBody } from '../../../kit/index.js';
import { DeliveriesQuery, DeliveryDto, DeliveryWithAttemptsDto, ResendDeliveriesDto, ResentDeliveriesDto } from './deliveries.dto.js';
import { DeliveryAnalyticsDto, DeliveryAnalyticsQuery } from './delivery-analytics.dto.js';
import { DeliveryAnalytics } from './delivery-analytics.js';
import { DeliveriesService } from './deliveries.service.js';

const permission = 'org.developer.webhooks.manage';

@Controller('api/v1/org/developer')
export class DeliveriesController {
  constructor(
    private readonly deliveries: DeliveriesService,
    private readonly analytics: DeliveryAnalytics,
  ) {}

  @Get('deliveries')
  @Endpoint({
    operation: 'list_deliveries',
    summary: 'List webhook deliveries',
    permission,
    returns: DeliveryDto,
    list: true,
    description: 'Deliveries are kept for 30 days by default.',
  })
  async list(@Ctx() ctx: Ctx, @Query() query: DeliveriesQuery): Promise<ListBody<DeliveryDto>> {
    return listBody(await this.deliveries.page(ctx, query), DeliveryDto.from);
  }

  @Get('deliveries/:id')
  @Endpoint({
    operation: 'get_delivery',
    summary: 'Get a webhook delivery with its attempts',
    permission,
    returns: DeliveryWithAttemptsDto,
  })
  async get(@Ctx() ctx: Ctx, @Id() id: string): Promise<DeliveryWithAttemptsDto> {
    const { delivery, request, attempts } = await this.deliveries.get(ctx, id);
    return DeliveryWithAttemptsDto.with(delivery, request, attempts);
  }

  @Post('deliveries/:id/resend')
  @Endpoint({
    operation: 'resend_delivery',
    summary: 'Send a delivery again',
    permission,
    returns: DeliveryDto,
    errors: [CommonErrors.resourceConflict],
    description: 'Sends the same body with the same Svc-Event-Id in a new series of attempts. A pending delivery is attempted immediately.',
  })
  async resend(@Ctx() ctx: Ctx, @Id() id: string): Promise<DeliveryDto> {
    return DeliveryDto.from(await this.deliveries.resend(ctx, id));
  }

  @Post('deliveries/resend')
  @Endpoint({
    operation: 'resend_failed_deliveries',
    summary: 'Resend the deliveries that failed since a time',
    permission,
    returns: ResentDeliveriesDto,
    errors: [CommonErrors.resourceConflict],
    description: 'With dry_run, only counts them.',
  })
  async resendFailed(@Ctx() ctx: Ctx, @Body() body: ResendDeliveriesDto): Promise<ResentDeliveriesDto> {
    const dry_run = body.dry_run ?? false;
    return { object: 'resend', dry_run, count: await this.deliveries.resendFailed(ctx, { ...body, dry_run }) };
  }

  @Get('delivery-analytics')
  @Endpoint({
    operation: 'get_delivery_analytics',
    summary: 'Count delivery attempts over time',
    permission,
    returns: DeliveryAnalyticsDto,
    description:
      'Attempts per hour or day, per endpoint and per reason of failure, with latencies, over at most 31 days of what is still kept.',
  })
  read(@Ctx() ctx: Ctx, @Query() query: DeliveryAnalyticsQuery): Promise<DeliveryAnalyticsDto> {
    return this.analytics.read(ctx, query);
  }
}
