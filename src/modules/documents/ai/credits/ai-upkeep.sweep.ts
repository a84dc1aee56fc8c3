import { Contexts, Maintenance, Sweep, type SweepHandler } from '../../../../kit/index.js';
import { AiCredits } from './ai-credits.service.js';

const BATCH = 500;
/** How long a result is found again without being paid for again. */
const KEPT_DAYS = { live: 90, test: 30 };

/** Gives back what dead processes had reserved, and forgets old results. */
@Sweep({ name: 'documents.ai_upkeep', everySeconds: 60 })
export class AiUpkeep implements SweepHandler {
  constructor(
    private readonly maintenance: Maintenance,
    private readonly contexts: Contexts,
    private readonly credits: AiCredits,
  ) {}

  async run(now: Date, signal: AbortSignal): Promise<void> {
    const expired = await this.maintenance.query<{ id: string; organization_id: string }>(
      'SELECT id, organization_id FROM ai_runs WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2',
      [now, BATCH],
    );
    const failures: unknown[] = [];
    for (const { id, organization_id } of expired) {
      signal.throwIfAborted();
      await this.credits
        .release(
          this.contexts.system({ organizationId: organization_id, projectId: null, mode: 'live' }),
          { id },
          'Nobody finished it in time.',
        )
        .catch((error: unknown) => failures.push(error));
    }
    await this.maintenance.query(
      `DELETE FROM ai_analyses WHERE id IN (
         SELECT id FROM ai_analyses WHERE analysed_at < $1::timestamptz - CASE mode WHEN 'test' THEN $2::int ELSE $3::int END * interval '1 day' ORDER BY analysed_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
       )`,
      [now, KEPT_DAYS.test, KEPT_DAYS.live],
    );
    // one that cannot be given back holds up no other, nor the forgetting
    if (failures.length > 0) throw new AggregateError(failures, `Credits of ${failures.length} runs could not be given back.`);
  }
}
