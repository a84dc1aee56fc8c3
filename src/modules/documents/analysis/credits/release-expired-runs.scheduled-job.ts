import { ScheduledJob, sql, table, type Ctx, type DueRow, type ScheduledJobHandler, type Sql } from '../../../../kit/index.js';
import { AiCredits } from './ai-credits.service.js';
import { AiRun } from './ai-run.entity.js';

/** Releases credits that were reserved by processes which have died since. */
@ScheduledJob({
  name: 'documents.release_ai_credits',
  everySeconds: 60,
})
export class ReleaseExpiredRuns implements ScheduledJobHandler {
  constructor(private readonly credits: AiCredits) {}

  due(now: Date): Sql {
    return sql.unscoped('due rows of all organizations')`
      SELECT r.id, r.organization_id, NULL::uuid AS project_id, 'live' AS mode FROM ${table(AiRun)} r WHERE r.expires_at <= ${now}`;
  }

  async handle(ctx: Ctx, { id }: DueRow): Promise<void> {
    await this.credits.release(ctx, { id }, 'Nobody finished it in time.');
  }
}
