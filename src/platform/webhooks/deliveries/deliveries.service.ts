import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CommonErrors, sql, Store, type Condition, type Ctx, type Page, type Tx } from '../../../kit/index.js';
import { platformSql } from '../../../kit/internal.js';
import { EventPermissions } from '../../events/event-permissions.js';
import { OutboxEvent } from '../../events/outbox-event.entity.js';
import { JobNotifier } from '../../queue/job-notifier.js';
import type { AttemptRow, DeliveriesQuery, DeliveryRequestDto, ResendDeliveriesDto } from './deliveries.dto.js';
import { headersOf } from '../sending/delivery-headers.js';
import { DELIVERY_QUEUE } from '../sending/delivery-queue.js';
import { REQUESTED, subscribes } from './event-deliveries.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';
import { WebhookEvents } from '../endpoints/webhook.events.js';
import { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';

const MOST_RECOVERED = 10_000;
/** A delivery that was written, whatever became of it, is not written again. */
const RECOVER = `
  INSERT INTO webhook_deliveries (id, organization_id, project_id, mode, endpoint_id, event_id, event_type)
  SELECT (substr(e.id::text, 1, 15) || substr(gen_random_uuid()::text, 16))::uuid, e.organization_id, e.project_id, e.mode, w.id,
    e.id, e.type
  FROM webhook_endpoints w
  JOIN outbox_events e ON e.organization_id = w.organization_id AND e.mode = w.mode
  WHERE w.id = $1 AND e.created_at >= greatest($2::timestamptz, w.created_at) AND NOT e.internal AND e.type <> $3
    AND (w.project_id IS NULL OR w.project_id = e.project_id) AND ${subscribes('e.type', 'e.body')}
    AND NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.event_id = e.id AND d.endpoint_id = w.id)
  ORDER BY e.created_at, e.id
  LIMIT $4
  RETURNING id`;

/** The stored statuses that are shown as `pending`. */
const PENDING = ['ready', 'sending', 'waiting'];

/** The delivery log, and resending: a new series of attempts for the same delivery and event. */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly store: Store,
    private readonly dataSource: DataSource,
    private readonly notifier: JobNotifier,
    private readonly permissions: EventPermissions,
  ) {}

  page(ctx: Ctx, query: DeliveriesQuery, ...conditions: Condition[]): Promise<Page<WebhookDelivery>> {
    if (query.status) conditions.push(statusCondition(query.status));
    return this.store.page(ctx, WebhookDelivery, query, ...conditions);
  }

  async get(ctx: Ctx, id: string): Promise<{ delivery: WebhookDelivery; request: DeliveryRequestDto; attempts: AttemptRow[] }> {
    const delivery = await this.store.get(ctx, WebhookDelivery, id);
    const attempts = await this.dataSource.query<AttemptRow[]>(
      `SELECT number, started_at, latency_ms, status, headers, body, error FROM webhook_attempts WHERE delivery_id = $1 ORDER BY
        number DESC LIMIT 1000`,
      [id],
    );
    return { delivery, request: await this.requestOf(ctx, delivery), attempts: attempts.reverse() };
  }

  private async requestOf(ctx: Ctx, { event_id, event_type }: WebhookDelivery): Promise<DeliveryRequestDto> {
    const permission = this.permissions.of(event_type);
    const required_permission = permission === null || ctx.permissions.has(permission) ? null : permission;
    const event = required_permission === null ? await this.store.find(ctx, OutboxEvent, event_id) : null;
    return { headers: headersOf(event_id, event_type), body: event?.body ?? null, required_permission };
  }

  resend(ctx: Ctx, id: string): Promise<WebhookDelivery> {
    return this.store.write(ctx, async (tx) => {
      const delivery = await tx.target(WebhookDelivery, id);
      await requireEnabled(tx, delivery.endpoint_id, 'id');
      if (delivery.status === 'sending') return delivery;
      await this.queue(tx, 'id = $1', [id]);
      return tx.get(WebhookDelivery, id);
    });
  }

  /** Resolves to how many were queued again, or would be. */
  resendFailed(ctx: Ctx, { endpoint_id, since = '-infinity', dry_run, include_waiting = false }: ResendDeliveriesDto): Promise<number> {
    return this.store.write(ctx, async (tx) => {
      await requireEnabled(tx, endpoint_id, 'endpoint_id');
      // a retry that is due is ready, and stays so while its endpoint is held
      const statuses = include_waiting ? `(status IN ('failed', 'waiting') OR (status = 'ready' AND tries > 0))` : `status = 'failed'`;
      const failed = `endpoint_id = $1 AND created_at >= $2 AND ${statuses}`;
      if (!dry_run) return this.queue(tx, failed, [endpoint_id, since]);
      const [{ count }] = await tx.sql<{ count: number }>(
        platformSql(`SELECT count(*)::int AS count FROM webhook_deliveries WHERE ${failed}`, [endpoint_id, since]),
      );
      return count;
    });
  }

  /** Queues the deliveries that were not written while the endpoint was disabled. */
  recover(ctx: Ctx, id: string, since: string): Promise<{ count: number; has_more: boolean }> {
    return this.store.write(ctx, async (tx) => {
      // locked, so that two calls do not write the same deliveries
      const endpoint = await tx.lock(WebhookEndpoint, id);
      if (endpoint.status === 'disabled') throw CommonErrors.resourceConflict({ message: 'The endpoint is disabled; enable it first.' });
      const written = await tx.sql<{ id: string }>(platformSql(RECOVER, [id, since, WebhookEvents.tested.name, MOST_RECOVERED]));
      tx.afterCommit(() => this.notifier.notify(DELIVERY_QUEUE));
      return { count: written.length, has_more: written.length === MOST_RECOVERED };
    });
  }

  private async queue(tx: Tx, where: string, values: unknown[]): Promise<number> {
    const queued = await tx.sql<{ id: string }>(
      platformSql(
        `UPDATE webhook_deliveries SET status = 'ready', tries = 0, queued_at = clock_timestamp(), due_at = ${REQUESTED},
          leased_until = NULL,
          leased_by = NULL, delivered_at = NULL, updated_at = now(), version = version + 1 WHERE ${where} RETURNING id`,
        values,
      ),
    );
    tx.afterCommit(() => this.notifier.notify(DELIVERY_QUEUE));
    return queued.length;
  }
}

async function requireEnabled(tx: Tx, endpointId: string, param: string): Promise<void> {
  const endpoint = await tx.find(WebhookEndpoint, endpointId);
  if (!endpoint) throw CommonErrors.validationFailed({ param, message: `${param}: the endpoint no longer exists` });
  if (endpoint.status === 'disabled') throw CommonErrors.resourceConflict({ message: 'The endpoint is disabled; enable it first.' });
}

function statusCondition(wanted: readonly string[]): Condition {
  return sql`t.status = ANY(${wanted.flatMap((status) => (status === 'pending' ? PENDING : [status]))})`;
}
