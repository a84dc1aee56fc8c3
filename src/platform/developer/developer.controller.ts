import { Body, Controller, Delete, Get, Patch, Post, Query, Req } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, FileResponse, Id, listBody, type ListBody } from '../../kit/index.js';
import { DeliveryDto } from '../webhooks/deliveries/deliveries.dto.js';
import {
  RollWebhookSecretDto,
  SentTestEventDto,
  WebhookEndpointDto,
  WebhookEndpointsQuery,
  WebhookEndpointWithSecretDto,
} from '../webhooks/endpoints/webhook-endpoints.dto.js';
import { STREAM_HEADERS } from '../event-streams/open-stream.js';
import { WebhookEvents } from '../webhooks/endpoints/webhook.events.js';
import {
  CreateDeveloperEndpointDto,
  DeveloperDeliveriesQuery,
  EventStreamQuery,
  RecentEventDto,
  RecentEventsQuery,
  RecoverQuery,
  RecoveryDto,
  UpdateDeveloperEndpointDto,
} from './developer.dto.js';
import type { Request } from '../request/request-state.js';
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
    errors: [CommonErrors.permissionDenied],
    returns: RecentEventDto,
    list: true,
    description:
      'To reconcile what a receiver missed, continue after the last sequence that it processed. Events are kept for 30 days by ' +
      'default. An event appears once no earlier sequence can follow.',
  })
  async events(@Ctx() ctx: Ctx, @Query() query: RecentEventsQuery): Promise<ListBody<RecentEventDto>> {
    return listBody(await this.developer.events(ctx, query), RecentEventDto.from);
  }

  @Get('events/stream')
  @Endpoint({
    scope: 'developer:event:read',
    operation: 'stream_recent_events',
    summary: 'Receive events as they are recorded',
    returns: null,
    produces: { 'text/event-stream': 'Server-sent events: `data` is an event as list_recent_events returns it, `id` its sequence.' },
    errors: [CommonErrors.permissionDenied],
    description:
      'Begins after Last-Event-ID or after_sequence, otherwise with the next event, and goes on in the order of the sequence. A comment ' +
      'follows at least every 15 seconds. When the key may no longer read, or the process stops, an event `end` says why. A key may have ' +
      '5 streams per process.',
  })
  async stream(@Ctx() ctx: Ctx, @Query() query: EventStreamQuery, @Req() request: Request): Promise<FileResponse> {
    const lastId = request.headers['last-event-id'];
    if (lastId !== undefined && !/^\d{1,15}$/.test(String(lastId)))
      throw CommonErrors.validationFailed({ param: 'Last-Event-ID', message: 'Last-Event-ID must be the sequence of an event.' });
    const after = lastId === undefined ? query.after_sequence : Number(lastId);
    const { authorization } = request.headers;
    const stream = await this.developer.stream(ctx, { ...query, after_sequence: after }, { authorization, address: request.state.address });
    request.state.streamsSince = performance.now();
    // a client that has gone already
    if (request.method === 'HEAD' || request.raw.socket.destroyed) stream.destroy();
    return new FileResponse('text/event-stream', stream, { headers: STREAM_HEADERS });
  }

  @Get('webhook-endpoints')
  @Endpoint({
    scope: READ,
    operation: 'list_developer_endpoints',
    summary: 'List webhook endpoints',
    errors: [CommonErrors.permissionDenied],
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
    errors: [CommonErrors.permissionDenied],
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
    errors: [CommonErrors.permissionDenied],
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
    errors: [CommonErrors.permissionDenied],
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
    errors: [CommonErrors.permissionDenied],
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
    errors: [CommonErrors.permissionDenied],
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
    errors: [CommonErrors.permissionDenied, CommonErrors.resourceConflict],
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
    errors: [CommonErrors.permissionDenied, CommonErrors.resourceConflict],
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
    errors: [CommonErrors.permissionDenied],
    returns: DeliveryDto,
    list: true,
  })
  async deliveries(@Ctx() ctx: Ctx, @Query() query: DeveloperDeliveriesQuery): Promise<ListBody<DeliveryDto>> {
    return listBody(await this.developer.deliveryPage(ctx, query), DeliveryDto.from);
  }
}
