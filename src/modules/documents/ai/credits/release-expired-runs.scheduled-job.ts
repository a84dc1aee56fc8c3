import { ScheduledJob, type Ctx, type DueQuery, type DueRow, type ScheduledJobHandler } from '../../../../kit/index.js';
import { AiCredits } from './ai-credits.service.js';

/** Releases credits that were reserved by processes which have died since. */
@ScheduledJob({
  name: 'documents.release_ai_credits',
  everySeconds: 60,
})
export class ReleaseExpiredRuns implements ScheduledJobHandler {
  constructor(private readonly credits: AiCredits) {}

  due(now: Date): DueQuery {
    return {
      sql: `SELECT id, organization_id, NULL::uuid AS project_id, 'live' AS mode FROM ai_runs WHERE expires_at <= $1`,
      values: [now],
    };
  }

  async handle(ctx: Ctx, { id }: DueRow): Promise<void> {
    await this.credits.release(ctx, { id }, 'Nobody finished it in time.');
  }
}
