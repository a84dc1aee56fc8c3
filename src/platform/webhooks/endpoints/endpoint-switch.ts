import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Mails, Members, Store, type Tx } from '../../../kit/index.js';
import { platformSql } from '../../../kit/internal.js';
import { BaseUrl } from '../../config/base-url.js';
import { CONSOLE_PATHS } from '../../config/console-paths.js';
import { systemContext } from '../../persistence/transactions/call-context.js';
import { disabledEndpointMail } from './disabled-endpoint-mail.js';
import { WebhookEndpoint, type DisabledReason } from './webhook-endpoint.entity.js';

const MANAGE = 'org.developer.webhooks.manage';

const REASONS: Record<Exclude<DisabledReason, 'manual'>, string> = {
  gone: 'it responded with 410 Gone',
  failing: 'no delivery to it has succeeded for days',
};

/** Disables endpoints. Their waiting deliveries fail in the same transaction. */
@Injectable()
export class EndpointSwitch {
  private readonly log = new Logger('Webhooks');

  constructor(
    private readonly store: Store,
    private readonly mails: Mails,
    private readonly members: Members,
    private readonly dataSource: DataSource,
    private readonly baseUrl: BaseUrl,
  ) {}

  /** Called by the workers; notifies the members who manage webhooks. */
  async disable(endpointId: string, reason: Exclude<DisabledReason, 'manual'>): Promise<void> {
    const [found] = await this.dataSource.query<{ organization_id: string; mode: 'live' | 'test' }[]>(
      `SELECT organization_id, mode FROM webhook_endpoints WHERE id = $1 AND status = 'enabled'`,
      [endpointId],
    );
    if (!found) return;
    const ctx = systemContext(found.organization_id, found.mode);
    await this.store.write(ctx, async (tx) => {
      const endpoint = await tx.lock(WebhookEndpoint, endpointId);
      if (endpoint.status === 'disabled') return;
      await this.disableIn(tx, endpoint, reason);
      const page = `${this.baseUrl.value}${CONSOLE_PATHS.webhooks}/${endpointId}`;
      for (const { email } of await this.members.withPermission(ctx, MANAGE))
        await this.mails.send(ctx, tx, disabledEndpointMail(email, endpoint.url, REASONS[reason], page));
    });
    this.log.log(`Endpoint ${endpointId} was disabled: ${REASONS[reason]}.`);
  }

  async disableIn(tx: Tx, endpoint: WebhookEndpoint, reason: DisabledReason): Promise<WebhookEndpoint> {
    const disabled = await tx.update(endpoint, { status: 'disabled', disabled_reason: reason, disabled_at: new Date() });
    await failPending(tx, endpoint.id, 'the endpoint is disabled');
    return disabled;
  }
}

/**
 * Deliveries in flight fail too but keep their leases, so that their workers still store the results. They are updated last, because
 * those workers wait for rows that are changed here, together with deliveries that have returned to `waiting` meanwhile.
 */
export async function failPending(tx: Tx, endpointId: string, error: string): Promise<void> {
  for (const statuses of [
    ['ready', 'waiting'],
    ['ready', 'waiting', 'sending'],
  ]) {
    await tx.sql(
      platformSql(
        `UPDATE webhook_deliveries SET status = 'failed', last_error = $2, updated_at = now(), version = version + 1
       WHERE endpoint_id = $1 AND status = ANY($3)`,
        [endpointId, error, statuses],
      ),
    );
  }
}
