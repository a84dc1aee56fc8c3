import { Controller, Get, Query } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id, listBody, sql, Store, type ListBody } from '../../kit/index.js';
import { EventDto, EventsQuery } from './events.dto.js';
import { EventPermissions } from './event-permissions.js';
import { OutboxEvent } from './outbox-event.entity.js';

const permission = 'org.developer.webhooks.manage';

@Controller('api/v1/org/developer/events')
export class EventsController {
  constructor(
    private readonly store: Store,
    private readonly permissions: EventPermissions,
  ) {}

  @Get()
  @Endpoint({
    operation: 'list_developer_events',
    summary: 'List events',
    permission,
    returns: EventDto,
    list: true,
    description: 'Includes events that no endpoint subscribes to. Events are kept as long as deliveries.',
  })
  async list(@Ctx() ctx: Ctx, @Query() query: EventsQuery): Promise<ListBody<EventDto>> {
    return listBody(await this.store.page(ctx, OutboxEvent, query, sql`NOT t.internal`), (event) => this.shown(ctx, event));
  }

  @Get(':id')
  @Endpoint({
    operation: 'get_developer_event',
    summary: 'Get an event',
    permission,
    returns: EventDto,
  })
  async get(@Ctx() ctx: Ctx, @Id() id: string): Promise<EventDto> {
    const event = await this.store.get(ctx, OutboxEvent, id);
    if (event.internal) throw CommonErrors.notFound();
    return this.shown(ctx, event);
  }

  private shown(ctx: Ctx, event: OutboxEvent): EventDto {
    const permission = this.permissions.of(event.type);
    return EventDto.from(event, permission === null || ctx.permissions.has(permission) ? null : permission);
  }
}
