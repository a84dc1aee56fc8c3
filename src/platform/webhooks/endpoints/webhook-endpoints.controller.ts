import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { CommonErrors, constantList, Ctx, Endpoint, Id, listBody, type ListBody } from '../../../kit/index.js';
import { exampleEvent, examplePayload } from '../../events/example-payload.js';
import type { DeclaredEvent } from '../../registry/module-registry.js';
import { EventCatalog } from './event-catalog.js';
import {
  CreateWebhookEndpointDto,
  EventTypeDto,
  EventTypesQuery,
  RollWebhookSecretDto,
  SentTestEventDto,
  UpdateWebhookEndpointDto,
  WebhookEndpointDto,
  WebhookEndpointsQuery,
  WebhookEndpointWithSecretDto,
} from './webhook-endpoints.dto.js';
import { WebhookEndpointsService, type EndpointWithSecret } from './webhook-endpoints.service.js';
import { WebhookEvents } from './webhook.events.js';

const permission = 'org.developer.webhooks.manage';

@Controller('api/v1/org/developer')
export class WebhookEndpointsController {
  constructor(
    private readonly endpoints: WebhookEndpointsService,
    private readonly catalog: EventCatalog,
  ) {}

  @Get('event-types')
  @Endpoint({
    operation: 'list_event_types',
    summary: 'List the events that can be sent',
    description: 'Sorted by name.',
    permission,
    returns: EventTypeDto,
    list: true,
  })
  eventTypes(@Query() query: EventTypesQuery): ListBody<EventTypeDto> {
    return constantList(this.catalog.entries, query, toEventType);
  }

  @Get('webhook-endpoints')
  @Endpoint({
    operation: 'list_webhook_endpoints',
    summary: 'List webhook endpoints',
    permission,
    returns: WebhookEndpointDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: WebhookEndpointsQuery): Promise<ListBody<WebhookEndpointDto>> {
    return listBody(await this.endpoints.page(ctx, query), WebhookEndpointDto.from);
  }

  @Get('webhook-endpoints/:id')
  @Endpoint({
    operation: 'get_webhook_endpoint',
    summary: 'Get a webhook endpoint',
    permission,
    returns: WebhookEndpointDto,
  })
  async get(@Ctx() ctx: Ctx, @Id() id: string): Promise<WebhookEndpointDto> {
    return WebhookEndpointDto.from(await this.endpoints.get(ctx, id));
  }

  @Post('webhook-endpoints')
  @Endpoint({
    operation: 'create_webhook_endpoint',
    summary: 'Create a webhook endpoint',
    permission,
    returns: WebhookEndpointWithSecretDto,
    status: 201,
    secrets: ['secret'],
    errors: [CommonErrors.confirmationRequired],
    description: "Only this response contains the signing secret. Verify each delivery's Svc-Signature with it.",
  })
  async create(@Ctx() ctx: Ctx, @Body() body: CreateWebhookEndpointDto): Promise<WebhookEndpointWithSecretDto> {
    return withSecret(await this.endpoints.create(ctx, body));
  }

  @Patch('webhook-endpoints/:id')
  @Endpoint({
    operation: 'update_webhook_endpoint',
    summary: 'Change a webhook endpoint',
    permission,
    returns: WebhookEndpointDto,
    errors: [CommonErrors.confirmationRequired],
    description: 'Applies to attempts that begin after the change, including those for earlier events.',
  })
  async update(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateWebhookEndpointDto): Promise<WebhookEndpointDto> {
    return WebhookEndpointDto.from(await this.endpoints.update(ctx, id, body));
  }

  @Delete('webhook-endpoints/:id')
  @Endpoint({
    operation: 'delete_webhook_endpoint',
    summary: 'Delete a webhook endpoint',
    permission,
    returns: null,
    description: 'Its pending deliveries fail; the log of its deliveries is kept.',
  })
  async delete(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    await this.endpoints.delete(ctx, id);
  }

  @Post('webhook-endpoints/:id/roll-secret')
  @Endpoint({
    operation: 'roll_webhook_secret',
    summary: 'Replace the signing secret',
    permission,
    returns: WebhookEndpointWithSecretDto,
    secrets: ['secret'],
    confirmation: true,
    description: 'For overlap_hours deliveries carry two signatures, one by each secret; verify against either.',
  })
  async roll(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: RollWebhookSecretDto): Promise<WebhookEndpointWithSecretDto> {
    return withSecret(await this.endpoints.roll(ctx, id, body.overlap_hours ?? 0));
  }

  @Post('webhook-endpoints/:id/enable')
  @Endpoint({
    operation: 'enable_webhook_endpoint',
    summary: 'Enable a webhook endpoint',
    permission,
    returns: WebhookEndpointDto,
    errors: [CommonErrors.confirmationRequired],
    description: 'Deliveries that failed while it was disabled are not sent unless you resend them.',
  })
  async enable(@Ctx() ctx: Ctx, @Id() id: string): Promise<WebhookEndpointDto> {
    return WebhookEndpointDto.from(await this.endpoints.enable(ctx, id));
  }

  @Post('webhook-endpoints/:id/disable')
  @Endpoint({
    operation: 'disable_webhook_endpoint',
    summary: 'Disable a webhook endpoint',
    permission,
    returns: WebhookEndpointDto,
    description: 'Its pending deliveries fail immediately.',
  })
  async disable(@Ctx() ctx: Ctx, @Id() id: string): Promise<WebhookEndpointDto> {
    return WebhookEndpointDto.from(await this.endpoints.disable(ctx, id));
  }

  @Post('webhook-endpoints/:id/test')
  @Endpoint({
    operation: 'send_test_event',
    summary: 'Send a test event to a webhook endpoint',
    permission,
    returns: SentTestEventDto,
    status: 202,
    errors: [CommonErrors.resourceConflict],
  })
  async test(@Ctx() ctx: Ctx, @Id() id: string): Promise<SentTestEventDto> {
    return { object: 'test_event', type: WebhookEvents.tested.name, event_id: await this.endpoints.test(ctx, id) };
  }
}

function withSecret({ endpoint, secret }: EndpointWithSecret): WebhookEndpointWithSecretDto {
  return { ...WebhookEndpointDto.from(endpoint), secret };
}

function toEventType({ definition, module }: DeclaredEvent): EventTypeDto {
  const { name, description, context, payload } = definition;
  return {
    object: 'event_type',
    type: name,
    description,
    module,
    context: { ...context },
    schema: `/openapi.json#/webhooks/${name}`,
    example_body: exampleEvent(definition, examplePayload(payload)),
  };
}
