import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { firstIdAt, Maintenance } from '../../../kit/index.js';
import { maskedBody } from './body-text.js';

const MASKED_AFTER_DAYS = 30;
const KEPT_DAYS = 90;
const DAY_MS = 24 * 60 * 60_000;
const FIRST_AFTER_MS = 90_000;
const EVERY_MS = 60 * 60_000;
const ROWS_AT_ONCE = 500;

/** Masks the bodies of old requests and deletes older ones, and old imports, a few at a time so that no lock lasts. */
@Injectable()
export class LeadWebhookPurge implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Lead webhook');
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(private readonly maintenance: Maintenance) {}

  onApplicationBootstrap(): void {
    this.schedule(FIRST_AFTER_MS);
  }

  onApplicationShutdown(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  async purge(now = Date.now()): Promise<{ masked: number; deleted: number }> {
    const expired = firstIdAt(now - KEPT_DAYS * DAY_MS);
    const masked = await this.repeat(() => this.mask(firstIdAt(now - MASKED_AFTER_DAYS * DAY_MS)));
    const deleted = await this.repeat(() => this.delete('lead_webhook_logs', expired));
    await this.repeat(() => this.delete('lead_imports', expired));
    return { masked, deleted };
  }

  private async repeat(batch: () => Promise<number>): Promise<number> {
    let rows = 0;
    for (let last = ROWS_AT_ONCE; last === ROWS_AT_ONCE && !this.stopped; rows += last) last = await batch();
    return rows;
  }

  /** Several processes may purge at once: what another has masked meanwhile is masked to the same text again. */
  private async mask(before: string): Promise<number> {
    const rows = await this.maintenance.query<{ id: string; body: string | null }>(
      `SELECT id, body FROM lead_webhook_logs WHERE NOT body_masked AND id < $1 ORDER BY id LIMIT $2`,
      [before, ROWS_AT_ONCE],
    );
    const bodies = rows.map(({ body }) => body && maskedBody(body));
    await this.maintenance.query(
      `UPDATE lead_webhook_logs l SET body = m.body, body_masked = true FROM unnest($1::uuid[], $2::text[]) AS m (id, body) WHERE l.id = m.id`,
      [rows.map(({ id }) => id), bodies],
    );
    return rows.length;
  }

  /** Skips the rows that another process holds. */
  private async delete(table: 'lead_webhook_logs' | 'lead_imports', before: string): Promise<number> {
    const deleted = await this.maintenance.query(
      `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE id < $1 ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING id`,
      [before, ROWS_AT_ONCE],
    );
    return deleted.length;
  }

  private schedule(after: number): void {
    this.timer = setTimeout(() => {
      this.purge()
        .catch((error: Error) => this.logger.warn(`Old requests could not be purged: ${error.message}`))
        .finally(() => this.stopped || this.schedule(EVERY_MS));
    }, after).unref();
  }
}
