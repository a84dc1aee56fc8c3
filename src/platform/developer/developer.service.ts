import { Injectable } from '@nestjs/common';
import { CommonErrors, sql, Store, type Condition, type Ctx, type Page } from '../../kit/index.js';
import { OutboxEvent } from '../events/outbox-event.entity.js';
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
import type { DeveloperDeliveriesQuery, RecentEventsQuery } from './developer.dto.js';

/**
 * Sequences are drawn before their transactions commit. An event whose sequence is larger than that of a transaction that still runs is
 * held back, or a reader who continues after it would miss the other one. No transaction of a request takes that long.
 */
const SETTLED = sql`(t.created_at < now() - interval '10 minutes'
  OR age(t.xmin) > age((pg_snapshot_xmin(pg_current_snapshot())::text::bigint % 4294967296)::text::xid))`;

/** What keys of the module may see and do: events and endpoints of their mode and, if they are bound to one, of their project. */
@Injectable()
export class DeveloperService {
  constructor(
    private readonly store: Store,
    private readonly catalog: EventCatalog,
    private readonly endpoints: WebhookEndpointsService,
    private readonly deliveries: DeliveriesService,
  ) {}

  events(ctx: Ctx, query: RecentEventsQuery): Promise<Page<OutboxEvent>> {
    const { type: types, after_sequence: after } = query;
    if (types) this.catalog.check('type', types);
    return this.store.page(
      ctx,
      OutboxEvent,
      query,
      sql`NOT t.internal AND ${SETTLED}`,
      ...visibleTo(ctx),
      ...(after === undefined ? [] : [sql`t.sequence > ${after}`]),
      ...(types ? [sql`(t.type = ANY(${types}) OR split_part(t.type, '.', 1) || '.*' = ANY(${types}) OR '*' = ANY(${types}))`] : []),
    );
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
  if (projectId !== null && wanted !== projectId)
    throw CommonErrors.validationFailed({ param: 'project_id', message: 'project_id must be the project that the key is bound to' });
  return wanted;
}
