import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import { CommonErrors, HOUR_MS, invalid, sql, Store, type Condition, type Ctx, type Page, type Tx } from '../../../kit/index.js';
import { lacksPermission, platformSql } from '../../../kit/internal.js';
import { SecretBox } from '../../config/secret-box.js';
import { CustomField } from '../../custom-fields/custom-field.entity.js';
import { AUDIT_RECORDED } from '../../events/audit-event.js';
import { Outbox } from '../../events/outbox.js';
import { Project } from '../../people/model/project.entity.js';
import { requireConfirmation } from '../../people/sessions/confirmation.js';
import type { CallContext } from '../../persistence/transactions/call-context.js';
import { freezeEvent } from '../../persistence/transactions/outbox-writer.js';
import type { PgTx } from '../../persistence/transactions/pg-tx.js';
import { JobNotifier } from '../../queue/job-notifier.js';
import { DELIVERY_QUEUE } from '../sending/delivery-queue.js';
import { EndpointSwitch, failPending } from './endpoint-switch.js';
import { EventCatalog } from './event-catalog.js';
import { namesCustomFields, requireFilter, type EventFilter } from './event-filter.js';
import { checkedHeaders, headersOwner } from './own-headers.js';
import { newSigningSecret } from '../sending/signature.js';
import { ForbiddenTarget, TargetRules } from '../../net/target-rules.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';
import {
  DEFAULT_CONCURRENCY,
  WebhookEndpointDto,
  type CreateWebhookEndpointDto,
  type UpdateWebhookEndpointDto,
  type WebhookEndpointsQuery,
} from './webhook-endpoints.dto.js';
import { WebhookEvents } from './webhook.events.js';

export interface EndpointWithSecret {
  endpoint: WebhookEndpoint;
  secret: string;
}

/** What must fit together: a filter has paths of objects of the events, and custom fields of the project. */
const FILTERED = ['filter', 'events', 'project_id'] as const;

const NOT_HELD = { held_until: null, hold_reason: null };

interface EarlierSecret {
  secret: Buffer;
  expires_at: Date;
}

/** Each adds a signature to every delivery. */
const MOST_EARLIER_SECRETS = 5;

@Injectable()
export class WebhookEndpointsService {
  constructor(
    private readonly store: Store,
    private readonly rules: TargetRules,
    private readonly secrets: SecretBox,
    private readonly catalog: EventCatalog,
    private readonly endpoints: EndpointSwitch,
    private readonly notifier: JobNotifier,
    private readonly outbox: Outbox,
  ) {}

  page(ctx: Ctx, query: WebhookEndpointsQuery, ...conditions: Condition[]): Promise<Page<WebhookEndpoint>> {
    if (query.failing !== undefined) conditions.push(failingCondition(query.failing));
    return this.store.page(ctx, WebhookEndpoint, query, ...conditions);
  }

  private checkEvents({ scopes, permissions }: Ctx, events: readonly string[]): void {
    this.catalog.check('events', events);
    const isKey = scopes.size > 0;
    const names = events.includes(AUDIT_RECORDED) || events.includes('audit.*');
    // who makes a key of the developer area has the permissions that all events require
    if (names && !isKey && !permissions.has('org.audit.view')) throw lacksPermission(['org.audit.view'], 'events');
  }

  get(ctx: Ctx, id: string): Promise<WebhookEndpoint> {
    return this.store.get(ctx, WebhookEndpoint, id);
  }

  create(ctx: Ctx, body: CreateWebhookEndpointDto): Promise<EndpointWithSecret> {
    if (body.mode !== 'test') requireConfirmation(ctx);
    const url = this.checkUrl(body.url);
    this.checkEvents(ctx, body.events);
    const id = uuidv7();
    const secret = newSigningSecret();
    return this.store.write(ctx, async (tx) => {
      await requireProject(tx, body.project_id);
      const { events, project_id = null } = body;
      const filter = emptyAsNull(body.filter) ?? null;
      await this.checkFilter(tx, { events, project_id, filter });
      const endpoint = await tx.insert(WebhookEndpoint, {
        id,
        url,
        events,
        mode: body.mode ?? 'live',
        description: body.description ?? null,
        project_id,
        max_concurrency: body.max_concurrency ?? DEFAULT_CONCURRENCY,
        max_per_minute: body.max_per_minute ?? null,
        filter,
        ...this.sealedHeaders(body.headers, id),
        status: 'enabled',
        enabled_at: new Date(0),
        secret: this.secrets.seal(secret, id),
      });
      return { endpoint, secret };
    });
  }

  update(ctx: Ctx, id: string, { url, events, headers, filter, ...rest }: UpdateWebhookEndpointDto): Promise<WebhookEndpoint> {
    const checked = url === undefined ? undefined : this.checkUrl(url);
    if (events !== undefined) this.checkEvents(ctx, events);
    return this.store.write(ctx, async (tx) => {
      const endpoint = await tx.target(WebhookEndpoint, id);
      await requireProject(tx, rest.project_id);
      const sent = { ...rest, url: checked, events, filter: emptyAsNull(filter) };
      const changed = changedTargets(endpoint, sent);
      const { filter: wanted = endpoint.filter, project_id = endpoint.project_id } = sent;
      // a filter that is no longer valid, such as after a custom field was deleted, can be sent back unchanged
      const [asked] = FILTERED.filter((name) => changed.has(name));
      if (asked) await this.checkFilter(tx, { events: events ?? endpoint.events, project_id, filter: wanted }, asked);
      const change = { ...sent, ...(headers && this.sealedHeaders(headers, id)) };
      if (endpoint.mode === 'live' && changed.size > 0) requireConfirmation(ctx);
      // another receiver has not asked for a pause
      return tx.update(endpoint, { ...change, ...(checked === endpoint.url || !checked ? {} : NOT_HELD) });
    });
  }

  delete(ctx: Ctx, id: string): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const endpoint = await tx.target(WebhookEndpoint, id);
      await failPending(tx, id, 'the endpoint was deleted');
      await tx.sql(platformSql('DELETE FROM webhook_rates WHERE endpoint_id = $1', [id]));
      await tx.delete(endpoint);
    });
  }

  disable(ctx: Ctx, id: string): Promise<WebhookEndpoint> {
    return this.store.write(ctx, async (tx) => {
      const endpoint = await tx.target(WebhookEndpoint, id);
      return endpoint.status === 'disabled' ? endpoint : this.endpoints.disableIn(tx, endpoint, 'manual');
    });
  }

  enable(ctx: Ctx, id: string): Promise<WebhookEndpoint> {
    return this.store.write(ctx, async (tx) => {
      const endpoint = await tx.target(WebhookEndpoint, id);
      if (endpoint.status === 'enabled') return endpoint;
      if (endpoint.mode === 'live') requireConfirmation(ctx);
      this.checkUrl(endpoint.url);
      // deliveries are queued by the database's clock
      const [{ now }] = await tx.sql<{ now: Date }>(sql`SELECT clock_timestamp() AS now`);
      return tx.update(endpoint, {
        status: 'enabled',
        disabled_reason: null,
        disabled_at: null,
        failing_since: null,
        slow_since: null,
        ...NOT_HELD,
        enabled_at: now,
      });
    });
  }

  /** Creates a new secret. The previous one also signs for the given number of hours; each earlier one until its own period ends. */
  roll(ctx: Ctx, id: string, overlapHours: number): Promise<EndpointWithSecret> {
    const secret = newSigningSecret();
    return this.store.write(ctx, async (tx) => {
      const endpoint = await tx.target(WebhookEndpoint, id);
      const earlier = await tx.sql<EarlierSecret>(
        platformSql(
          `SELECT earlier.secret, earlier.expires_at
         FROM webhook_endpoints w, unnest(w.earlier_secrets, w.earlier_secrets_expire_at) AS earlier (secret, expires_at)
         WHERE w.id = $1 AND earlier.expires_at > now()`,
          [id],
        ),
      );
      const [{ secret: current }] = await tx.sql<{ secret: Buffer }>(
        platformSql('SELECT secret FROM webhook_endpoints WHERE id = $1', [id]),
      );
      if (overlapHours > 0) earlier.push({ secret: current, expires_at: new Date(Date.now() + overlapHours * HOUR_MS) });
      if (earlier.length > MOST_EARLIER_SECRETS)
        throw CommonErrors.resourceConflict({
          param: 'overlap_hours',
          message: `${MOST_EARLIER_SECRETS} previous secrets are still valid; set overlap_hours to 0, or wait until one of them expires`,
        });
      const rolled = await tx.update(endpoint, {
        secret: this.secrets.seal(secret, id),
        earlier_secrets: earlier.map((kept) => kept.secret),
        earlier_secrets_expire_at: earlier.map(({ expires_at }) => expires_at),
        previous_secret_expires_at:
          earlier.length > 0 ? new Date(Math.max(...earlier.map(({ expires_at }) => expires_at.getTime()))) : null,
      });
      return { endpoint: rolled, secret };
    });
  }

  /** Queues an event for this endpoint only, whatever it subscribes to. Resolves to the event's id. */
  test(ctx: Ctx, id: string): Promise<string> {
    return this.store.write(ctx, async (tx) => {
      const endpoint = await tx.get(WebhookEndpoint, id);
      if (endpoint.status === 'disabled') throw CommonErrors.resourceConflict({ message: 'The endpoint is disabled; enable it first.' });
      const call = Object.assign(Object.create(ctx as CallContext) as CallContext, { mode: endpoint.mode });
      const event = freezeEvent(call, WebhookEvents.tested, { object: WebhookEndpointDto.from(endpoint), projectId: endpoint.project_id });
      await this.outbox.writeFor((tx as PgTx).on, event, id);
      tx.afterCommit(() => this.notifier.notify(DELIVERY_QUEUE));
      return event.id;
    });
  }

  /** `asked` is what the caller changes: a filter that is stored was not sent, and an error says so. */
  private async checkFilter(
    tx: Tx,
    { events, project_id, filter }: Pick<WebhookEndpoint, (typeof FILTERED)[number]>,
    asked: (typeof FILTERED)[number] = 'filter',
  ): Promise<void> {
    if (filter === null) return;
    const ofProject = project_id === null ? sql`true` : sql`t.project_id IS NULL OR t.project_id = ${project_id}`;
    const fields = namesCustomFields(filter) ? await tx.list(CustomField, { deleted_at: null }, ofProject) : [];
    requireFilter(filter, this.catalog.of(events), fields, asked);
  }

  private sealedHeaders(headers: Record<string, unknown> = {}, id: string): Pick<WebhookEndpoint, 'headers' | 'header_names'> {
    const checked = checkedHeaders(headers);
    const header_names = Object.keys(checked);
    return { header_names, headers: header_names.length === 0 ? null : this.secrets.seal(JSON.stringify(checked), headersOwner(id)) };
  }

  private checkUrl(text: string): string {
    try {
      return this.rules.checkUrl(text).href;
    } catch (error) {
      if (!(error instanceof ForbiddenTarget)) throw error;
      throw CommonErrors.validationFailed({ param: 'url', message: error.message });
    }
  }
}

/** Which members of a change differ, of those that send other data, or data to another address. */
function changedTargets(endpoint: WebhookEndpoint, change: Partial<WebhookEndpoint>): Set<'url' | (typeof FILTERED)[number]> {
  const names = (['url', ...FILTERED] as const).filter((name) => change[name] !== undefined && !isSame(change[name], endpoint[name]));
  return new Set(names);
}

/** Lists of events have no order. */
function isSame(one: unknown, other: unknown): boolean {
  const [first, second] = [one, other].map((value) => (Array.isArray(value) ? [...value].sort() : value));
  return isDeepStrictEqual(first, second);
}

function emptyAsNull(filter: Record<string, unknown> | null | undefined): EventFilter | null | undefined {
  return filter && Object.keys(filter).length === 0 ? null : (filter as EventFilter | null | undefined);
}

async function requireProject(tx: Tx, id: string | null | undefined): Promise<void> {
  if (id && !(await tx.find(Project, id))) throw invalid('project_id', 'must be a project of this organization');
}

function failingCondition(wanted: boolean): Condition {
  return sql`(t.failing_since IS NOT NULL OR coalesce(t.disabled_reason IN ('gone', 'failing'), false)) = ${wanted}`;
}
