import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { CommonErrors, invalid, own, sql, Store, table, type Condition, type Ctx, type Page } from '../../kit/index.js';
import { OutboxEvent } from '../events/outbox-event.entity.js';
import { SettledEvents } from '../events/settled-events.js';
import { EventCatalog } from '../webhooks/endpoints/event-catalog.js';
import type { WebhookDelivery } from '../webhooks/deliveries/webhook-delivery.entity.js';
import { DeliveriesService } from '../webhooks/deliveries/deliveries.service.js';
import type { WebhookEndpoint } from '../webhooks/endpoints/webhook-endpoint.entity.js';
import type {
  CreateWebhookEndpointDto,
  UpdateWebhookEndpointDto,
  WebhookEndpointsQuery,
} from '../webhooks/endpoints/webhook-endpoints.dto.js';
import { WebhookEndpointsService, type EndpointWithSecret } from '../webhooks/endpoints/webhook-endpoints.service.js';
import type { DeveloperDeliveriesQuery, EventStreamQuery, RecentEventsQuery } from './developer.dto.js';
import { EventStreams } from '../event-streams/event-streams.js';
import type { StreamKey } from '../event-streams/open-stream.js';

/** What keys of the module may see and do: events and endpoints of their mode and, if they are bound to one, of their project. */
@Injectable()
export class DeveloperService {
  constructor(
    private readonly store: Store,
    private readonly settled: SettledEvents,
    private readonly catalog: EventCatalog,
    private readonly endpoints: WebhookEndpointsService,
    private readonly deliveries: DeliveriesService,
    private readonly streams: EventStreams,
  ) {}

  async events(ctx: Ctx, query: RecentEventsQuery): Promise<Page<OutboxEvent>> {
    const { type: types = ['*'], after_sequence: after } = query;
    this.catalog.check('type', types);
    const settledBefore = await this.settled.before();
    return this.store.page(
      ctx,
      OutboxEvent,
      query,
      sql`NOT t.internal AND t.sequence <= (
        SELECT s.sequence FROM ${table(OutboxEvent)} s
        WHERE ${own('s')} AND s.mode = ${ctx.mode} AND s.drawn_at < ${settledBefore}::timestamptz
        ORDER BY s.sequence DESC LIMIT 1)`,
      ...visibleTo(ctx),
      ...(after === undefined ? [] : [sql`t.sequence > ${after}`]),
      sql`webhook_subscribes(${types}::text[], t.type)`,
    );
  }

  /** Events from now on, or after a sequence. */
  async stream(
    ctx: Ctx,
    { type: types, project_id, after_sequence }: EventStreamQuery,
    from: Pick<StreamKey, 'authorization' | 'address'>,
  ): Promise<Readable> {
    if (types) this.catalog.check('type', types);
    const { organizationId, mode, projectId, actor } = ctx;
    const filter = { organizationId, mode, pin: projectId, projects: project_id, types };
    return (await this.streams.open({ id: actor.id!, organizationId, ...from }, filter, after_sequence)).readable;
  }

  page(ctx: Ctx, query: WebhookEndpointsQuery): Promise<Page<WebhookEndpoint>> {
    return this.endpoints.page(ctx, query, ...visibleTo(ctx));
  }

  async get(ctx: Ctx, id: string): Promise<WebhookEndpoint> {
    const endpoint = await this.endpoints.get(ctx, id);
    // members manage the endpoints of both modes
    if (ctx.scopes.size === 0) return endpoint;
    if (endpoint.mode !== ctx.mode || (ctx.projectId !== null && endpoint.project_id !== ctx.projectId)) throw CommonErrors.notFound();
    return endpoint;
  }

  create(ctx: Ctx, body: CreateWebhookEndpointDto): Promise<EndpointWithSecret> {
    return this.endpoints.create(ctx, { ...body, mode: ctx.mode, project_id: projectOf(ctx, body.project_id ?? ctx.projectId) });
  }

  async update(ctx: Ctx, id: string, body: UpdateWebhookEndpointDto): Promise<WebhookEndpoint> {
    await this.get(ctx, id);
    if (body.project_id !== undefined) projectOf(ctx, body.project_id);
    return this.endpoints.update(ctx, id, body);
  }

  async delete(ctx: Ctx, id: string): Promise<void> {
    await this.get(ctx, id);
    await this.endpoints.delete(ctx, id);
  }

  async roll(ctx: Ctx, id: string, overlapHours: number): Promise<EndpointWithSecret> {
    await this.get(ctx, id);
    return this.endpoints.roll(ctx, id, overlapHours);
  }

  async test(ctx: Ctx, id: string): Promise<string> {
    await this.get(ctx, id);
    return this.endpoints.test(ctx, id);
  }

  async recover(ctx: Ctx, id: string, since: string): Promise<{ count: number; has_more: boolean }> {
    await this.get(ctx, id);
    return this.deliveries.recover(ctx, id, since);
  }

  deliveryPage(ctx: Ctx, query: DeveloperDeliveriesQuery): Promise<Page<WebhookDelivery>> {
    return this.deliveries.page(ctx, query, ...visibleTo(ctx));
  }
}

function visibleTo({ mode, projectId }: Ctx): Condition[] {
  return [sql`t.mode = ${mode}`, ...(projectId === null ? [] : [sql`t.project_id = ${projectId}`])];
}

function projectOf({ projectId }: Ctx, wanted: string | null): string | null {
  if (projectId !== null && wanted !== projectId) throw invalid('project_id', 'must be the project that the key is bound to');
  return wanted;
}
