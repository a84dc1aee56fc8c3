import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { poolOf } from '../persistence/pool.js';
import { WEBHOOK_SETTINGS, type WebhookSettings } from './webhook-settings.js';

const EVERY_MS = 60 * 60_000;
const ROWS_PER_DELETE = 5_000;
/** Children first, so that an interrupted purge leaves nothing that no later one finds. All ids begin with their time. */
const TABLES = [['webhook_attempts', 'delivery_id'], ['webhook_deliveries', 'id'], ['outbox_events', 'id'], ['mails', 'id']] as const;

/** Deletes events, deliveries and mails older than the retention; run by the workers, once an hour. */
@Injectable()
export class WebhooksPurge {
  private dueAt = Date.now() + 60_000;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(WEBHOOK_SETTINGS) private readonly settings: WebhookSettings,
  ) {}

  async runWhenDue(now = Date.now()): Promise<void> {
    if (now < this.dueAt) return;
    this.dueAt = now + EVERY_MS;
    await this.purge(now);
  }

  async purge(now = Date.now()): Promise<void> {
    const oldest = firstIdAt(now - this.settings.retentionDays * 24 * 60 * 60_000);
    for (const [table, column] of TABLES) {
      for (let deleted = ROWS_PER_DELETE; deleted >= ROWS_PER_DELETE; ) {
        const { rowCount } = await poolOf(this.dataSource).query(
          `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE ${column} < $1 ORDER BY ${column} LIMIT $2 FOR UPDATE SKIP LOCKED))`, [oldest, ROWS_PER_DELETE]);
        deleted = rowCount ?? 0;
      }
    }
  }
}

/** The least UUID v7 of a time. */
function firstIdAt(time: number): string {
  const hex = Math.max(0, time).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
