import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id, listBody, type ListBody } from '../../../kit/index.js';
import { DeliveriesQuery, DeliveryDto, DeliveryWithAttemptsDto, ResendDeliveriesDto, ResentDeliveriesDto } from './deliveries.dto.js';
import { DeliveriesService } from './deliveries.service.js';

const permission = 'org.developer.webhooks.manage';

@Controller('api/v1/org/developer/deliveries')
export class DeliveriesController {
  constructor(private readonly deliveries: DeliveriesService) {}

  @Get()
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

  @Get(':id')
  @Endpoint({
    operation: 'get_delivery',
    summary: 'Get a webhook delivery with its attempts',
    permission,
    returns: DeliveryWithAttemptsDto,
  })
  async get(@Ctx() ctx: Ctx, @Id() id: string): Promise<DeliveryWithAttemptsDto> {
    const { delivery, attempts } = await this.deliveries.get(ctx, id);
    return DeliveryWithAttemptsDto.with(delivery, attempts);
  }

  @Post(':id/resend')
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

  @Post('resend')
  @Endpoint({
    operation: 'resend_failed_deliveries',
    summary: 'Resend the deliveries that failed since a time',
    permission,
    returns: ResentDeliveriesDto,
    errors: [CommonErrors.resourceConflict],
  })
  async resendFailed(@Ctx() ctx: Ctx, @Body() body: ResendDeliveriesDto): Promise<ResentDeliveriesDto> {
    return { object: 'resend', count: await this.deliveries.resendFailed(ctx, body.endpoint_id, body.since) };
  }
}
