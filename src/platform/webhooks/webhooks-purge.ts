import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { firstIdAt } from '../../kit/index.js';
import { Purge } from '../persistence/purge.js';
import { WEBHOOK_SETTINGS, type WebhookSettings } from './webhook-settings.js';

const DAY_MS = 24 * 60 * 60_000;
const EVERY_MS = 60 * 60_000;
/** Children first, so that an interrupted purge leaves nothing that no later one finds. */
const TABLES = [
  ['webhook_attempts', 'delivery_id'],
  ['webhook_deliveries', 'id'],
  ['outbox_events', 'id'],
  ['mails', 'id'],
] as const;

/** Deletes events, deliveries and mails older than the retention. */
@Injectable()
export class WebhooksPurge extends Purge {
  constructor(
    dataSource: DataSource,
    @Inject(WEBHOOK_SETTINGS) private readonly settings: WebhookSettings,
  ) {
    super(dataSource, EVERY_MS);
  }

  protected outlived(now: number) {
    const values = [firstIdAt(now - this.settings.retentionDays * DAY_MS)];
    return TABLES.map(([table, id]) => ({ table, where: `${id} < $1`, values }));
  }
}
