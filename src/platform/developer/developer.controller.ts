import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id, listBody, type ListBody } from '../../kit/index.js';
import { DeliveryDto } from '../webhooks/deliveries/deliveries.dto.js';
import {
  RollWebhookSecretDto,
  SentTestEventDto,
  WebhookEndpointDto,
  WebhookEndpointsQuery,
  WebhookEndpointWithSecretDto,
} from '../webhooks/endpoints/webhook-endpoints.dto.js';
import { WebhookEvents } from '../webhooks/endpoints/webhook.events.js';
import {
  CreateDeveloperEndpointDto,
  DeveloperDeliveriesQuery,
  RecentEventDto,
  RecentEventsQuery,
  RecoverQuery,
  RecoveryDto,
  UpdateDeveloperEndpointDto,
} from './developer.dto.js';
import { DeveloperService } from './developer.service.js';

const READ = 'developer:endpoint:read';
const WRITE = 'developer:endpoint:write';

@Controller('/api/v1/ext/developer')
export class DeveloperController {
  constructor(private readonly developer: DeveloperService) {}

  @Get('events')
  @Endpoint({
    scope: 'developer:event:read',
    operation: 'list_recent_events',
    summary: 'List recorded events by sequence',
    returns: RecentEventDto,
    list: true,
    description:
      'To reconcile what a receiver missed, continue after the last sequence that it processed. Events are kept for 30 days by ' +
      'default. An event appears once no earlier sequence can follow.',
  })
  async events(@Ctx() ctx: Ctx, @Query() query: RecentEventsQuery): Promise<ListBody<RecentEventDto>> {
    return listBody(await this.developer.events(ctx, query), RecentEventDto.from);
  }

  @Get('webhook-endpoints')
  @Endpoint({
    scope: READ,
    operation: 'list_developer_endpoints',
    summary: 'List webhook endpoints',
    returns: WebhookEndpointDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: WebhookEndpointsQuery): Promise<ListBody<WebhookEndpointDto>> {
    return listBody(await this.developer.page(ctx, query), WebhookEndpointDto.from);
  }

  @Get('webhook-endpoints/:id')
  @Endpoint({
    scope: READ,
    operation: 'get_developer_endpoint',
    summary: 'Get a webhook endpoint',
    returns: WebhookEndpointDto,
  })
  async get(@Ctx() ctx: Ctx, @Id() id: string): Promise<WebhookEndpointDto> {
    return WebhookEndpointDto.from(await this.developer.get(ctx, id));
  }

  @Post('webhook-endpoints')
  @Endpoint({
    scope: WRITE,
    operation: 'create_developer_endpoint',
    summary: 'Create a webhook endpoint',
    returns: WebhookEndpointWithSecretDto,
    status: 201,
    secrets: ['secret'],
    description: "It gets events of the key's mode. Only this response contains the signing secret.",
  })
  async create(@Ctx() ctx: Ctx, @Body() body: CreateDeveloperEndpointDto): Promise<WebhookEndpointWithSecretDto> {
    const { endpoint, secret } = await this.developer.create(ctx, body);
    return { ...WebhookEndpointDto.from(endpoint), secret };
  }

  @Patch('webhook-endpoints/:id')
  @Endpoint({
    scope: WRITE,
    operation: 'update_developer_endpoint',
    summary: 'Change a webhook endpoint',
    returns: WebhookEndpointDto,
  })
  async update(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateDeveloperEndpointDto): Promise<WebhookEndpointDto> {
    return WebhookEndpointDto.from(await this.developer.update(ctx, id, body));
  }

  @Delete('webhook-endpoints/:id')
  @Endpoint({
    scope: WRITE,
    operation: 'delete_developer_endpoint',
    summary: 'Delete a webhook endpoint',
    returns: null,
  })
  delete(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    return this.developer.delete(ctx, id);
  }

  @Post('webhook-endpoints/:id/roll-secret')
  @Endpoint({
    scope: WRITE,
    operation: 'roll_developer_endpoint_secret',
    summary: 'Replace the signing secret',
    returns: WebhookEndpointWithSecretDto,
    secrets: ['secret'],
    destructive: true,
  })
  async roll(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: RollWebhookSecretDto): Promise<WebhookEndpointWithSecretDto> {
    const { endpoint, secret } = await this.developer.roll(ctx, id, body.overlap_hours ?? 0);
    return { ...WebhookEndpointDto.from(endpoint), secret };
  }

  @Post('webhook-endpoints/:id/test')
  @Endpoint({
    scope: WRITE,
    operation: 'test_developer_endpoint',
    summary: 'Send a test event to a webhook endpoint',
    returns: SentTestEventDto,
    status: 202,
    errors: [CommonErrors.resourceConflict],
  })
  async test(@Ctx() ctx: Ctx, @Id() id: string): Promise<SentTestEventDto> {
    return { object: 'test_event', type: WebhookEvents.tested.name, event_id: await this.developer.test(ctx, id) };
  }

  @Post('webhook-endpoints/:id/recover')
  @Endpoint({
    scope: WRITE,
    member: { permission: 'org.developer.webhooks.manage' },
    operation: 'recover_developer_endpoint',
    summary: 'Send events that an endpoint missed while disabled',
    returns: RecoveryDto,
    errors: [CommonErrors.resourceConflict],
    description:
      'Queues deliveries of events since a time for which none was written, at most 10,000 per call and none from before the endpoint ' +
      'existed. What was delivered or has failed is not sent again.',
  })
  async recover(@Ctx() ctx: Ctx, @Id() id: string, @Query() { since }: RecoverQuery): Promise<RecoveryDto> {
    return { object: 'recovery', ...(await this.developer.recover(ctx, id, since)) };
  }

  @Get('deliveries')
  @Endpoint({
    scope: READ,
    operation: 'list_developer_deliveries',
    summary: 'List webhook deliveries',
    returns: DeliveryDto,
    list: true,
  })
  async deliveries(@Ctx() ctx: Ctx, @Query() query: DeveloperDeliveriesQuery): Promise<ListBody<DeliveryDto>> {
    return listBody(await this.developer.deliveryPage(ctx, query), DeliveryDto.from);
  }
}
