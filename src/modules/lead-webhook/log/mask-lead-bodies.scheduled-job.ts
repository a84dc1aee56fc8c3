import { firstIdAt, ScheduledJob, Store, sql, type Ctx, type DueQuery, type DueRow, type ScheduledJobHandler } from '../../../kit/index.js';
import { maskedBody } from './body-text.js';

const MASKED_AFTER_DAYS = 30;
const DAY_MS = 24 * 60 * 60_000;
const BATCH = 500;

const before = (now: Date) => firstIdAt(now.getTime() - MASKED_AFTER_DAYS * DAY_MS);

/** Masks the personal data in the bodies of old requests, one organization after the other. */
@ScheduledJob({
  name: 'lead_webhook.mask_bodies',
  everySeconds: 60 * 60,
})
export class MaskLeadBodies implements ScheduledJobHandler {
  constructor(private readonly store: Store) {}

  due(now: Date): DueQuery {
    return {
      sql: `SELECT DISTINCT organization_id AS id, organization_id, NULL::uuid AS project_id, 'live' AS mode
            FROM lead_webhook_logs WHERE NOT body_masked AND id < $1`,
      values: [before(now)],
    };
  }

  async handle(ctx: Ctx, _row: DueRow, now: Date, signal: AbortSignal): Promise<void> {
    for (let masked = BATCH; masked === BATCH;) {
      signal.throwIfAborted();
      masked = await this.maskBatch(ctx, now);
    }
  }

  private maskBatch(ctx: Ctx, now: Date): Promise<number> {
    return this.store.write(ctx, async (tx) => {
      const rows = await tx.query<{ id: string; body: string | null }>(
        sql.legacy(
          `SELECT id, body FROM lead_webhook_logs WHERE organization_id = $1 AND NOT body_masked AND id < $2 ORDER BY id LIMIT $3`,
          [ctx.organizationId, before(now), BATCH],
        ),
      );
      await tx.query(
        sql.legacy(
          `UPDATE lead_webhook_logs l SET body = m.body, body_masked = true
         FROM unnest($2::uuid[], $3::text[]) AS m (id, body) WHERE l.organization_id = $1 AND l.id = m.id`,
          [ctx.organizationId, rows.map(({ id }) => id), rows.map(({ body }) => body && maskedBody(body))],
        ),
      );
      return rows.length;
    });
  }
}
