import {
  DAY_MS,
  firstIdAt,
  own,
  ScheduledJob,
  sql,
  Store,
  table,
  type Ctx,
  type DueRow,
  type ScheduledJobHandler,
  type Sql,
} from '../../../kit/index.js';
import { maskedBody } from './body-text.js';
import { LeadWebhookLogRow } from './lead-webhook-log.entity.js';

const MASKED_AFTER_DAYS = 30;
const BATCH = 500;

const before = (now: Date) => firstIdAt(now.getTime() - MASKED_AFTER_DAYS * DAY_MS);

/** Masks the personal data in the bodies of old requests, one organization after the other. */
@ScheduledJob({
  name: 'lead_webhook.mask_bodies',
  everySeconds: 60 * 60,
})
export class MaskLeadBodies implements ScheduledJobHandler {
  constructor(private readonly store: Store) {}

  due(now: Date): Sql {
    return sql.unscoped('due organizations')`
      SELECT DISTINCT l.organization_id AS id, l.organization_id, NULL::uuid AS project_id, 'live' AS mode
      FROM ${table(LeadWebhookLogRow)} l WHERE NOT l.body_masked AND l.id < ${before(now)}`;
  }

  async handle(ctx: Ctx, _row: DueRow, now: Date, signal: AbortSignal): Promise<void> {
    for (let masked = BATCH; masked === BATCH;) {
      signal.throwIfAborted();
      masked = await this.maskBatch(ctx, now);
    }
  }

  private maskBatch(ctx: Ctx, now: Date): Promise<number> {
    return this.store.write(ctx, async (tx) => {
      const rows = await tx.sql<{ id: string; body: string | null }>(
        sql`SELECT l.id, l.body FROM ${table(LeadWebhookLogRow)} l
          WHERE ${own('l')} AND NOT l.body_masked AND l.id < ${before(now)} ORDER BY l.id LIMIT ${BATCH}`,
      );
      await tx.sql(
        sql`UPDATE ${table(LeadWebhookLogRow)} l SET body = m.body, body_masked = true
          FROM unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ body }) => body && maskedBody(body))}::text[]) AS m (id, body)
          WHERE ${own('l')} AND l.id = m.id`,
      );
      return rows.length;
    });
  }
}
