import { Injectable } from '@nestjs/common';
import { isUuid, Store, type Ctx } from '../../kit/index.js';
import { OutboxEvent } from '../events/outbox-event.entity.js';
import { ApiKey } from '../keys/api-key.entity.js';
import { ApiKeyDto } from '../keys/api-keys.dto.js';
import { mayManageKeys } from '../keys/key-permissions.js';
import { ScopeCatalog } from '../keys/scope-catalog.js';
import { RequestLogRow } from '../request-log/request-log.entity.js';
import { visible } from '../request-log/request-logs.service.js';
import { DeliveryDto } from '../webhooks/deliveries/deliveries.dto.js';
import { WebhookDelivery } from '../webhooks/deliveries/webhook-delivery.entity.js';
import { WebhookEndpoint } from '../webhooks/endpoints/webhook-endpoint.entity.js';
import type { FoundDto } from './id-search.dto.js';

const LOGS = 'org.developer.logs.view';
const WEBHOOKS = 'org.developer.webhooks.manage';
const MOST = 20;
/** Also as pages show them, such as `...8jhr` or `svc_test_...8jhr`. */
const LAST_FOUR = /^(?:svc_\w+)?(?:\.{3}|…)?([0-9A-Za-z]{4})$/;

/** Finds what an id belongs to, among what the caller may see. */
@Injectable()
export class IdSearch {
  constructor(
    private readonly store: Store,
    private readonly catalog: ScopeCatalog,
  ) {}

  async find(ctx: Ctx, text: string): Promise<FoundDto[]> {
    const wanted = text.trim();
    if (wanted.startsWith('req_')) return this.requests(ctx, { request_id: wanted });
    if (isUuid(wanted)) return this.byId(ctx, wanted.toLowerCase());
    const last_four = LAST_FOUR.exec(wanted)?.[1];
    return last_four === undefined ? [] : this.keysAmong(ctx, await this.store.list(ctx, ApiKey, { last_four })).slice(0, MOST);
  }

  private async byId(ctx: Ctx, id: string): Promise<FoundDto[]> {
    const found = await Promise.all([
      this.requests(ctx, { id }),
      this.events(ctx, id),
      this.deliveries(ctx, id),
      this.store.find(ctx, ApiKey, id).then((key) => this.keysAmong(ctx, key === null ? [] : [key])),
      this.endpoints(ctx, id),
    ]);
    return found.flat();
  }

  private async requests(ctx: Ctx, wanted: Partial<RequestLogRow>): Promise<FoundDto[]> {
    if (!ctx.permissions.has(LOGS)) return [];
    const rows = await this.store.list(ctx, RequestLogRow, wanted, ...visible(this.catalog, ctx));
    return rows.map(({ id, method, route, status, code, mode }) => ({
      object: 'found',
      kind: 'request',
      id,
      title: route === null ? method : `${method} ${route}`,
      detail: code === null ? String(status) : `${status} ${code}`,
      mode,
    }));
  }

  private async events(ctx: Ctx, id: string): Promise<FoundDto[]> {
    if (!ctx.permissions.has(WEBHOOKS)) return [];
    const rows = await this.store.list(ctx, OutboxEvent, { id, internal: false });
    return rows.map(({ type, mode, created_at }) => ({
      object: 'found',
      kind: 'event',
      id,
      title: type,
      detail: created_at.toISOString(),
      mode,
    }));
  }

  private async deliveries(ctx: Ctx, id: string): Promise<FoundDto[]> {
    if (!ctx.permissions.has(WEBHOOKS)) return [];
    const rows = await this.store.list(ctx, WebhookDelivery, { id });
    return rows.map(DeliveryDto.from).map(({ event_type, status, mode }) => ({
      object: 'found',
      kind: 'delivery',
      id,
      title: event_type,
      detail: status,
      mode,
    }));
  }

  private async endpoints(ctx: Ctx, id: string): Promise<FoundDto[]> {
    if (!ctx.permissions.has(WEBHOOKS)) return [];
    const rows = await this.store.list(ctx, WebhookEndpoint, { id });
    return rows.map(({ url, status, mode }) => ({ object: 'found', kind: 'webhook_endpoint', id, title: url, detail: status, mode }));
  }

  private keysAmong(ctx: Ctx, keys: readonly ApiKey[]): FoundDto[] {
    return keys
      .filter(({ module }) => mayManageKeys(this.catalog, ctx, module, 'view'))
      .map(ApiKeyDto.from)
      .map(({ id, name, status, mode }) => ({ object: 'found', kind: 'api_key', id, title: name, detail: status, mode }));
  }
}
