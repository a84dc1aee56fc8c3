import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { Job, Store, sql, type Ctx, type JobHandler, type JobRun, type Tx } from '../../../kit/index.js';
import { Lead } from '../leads/lead.entity.js';
import { scoreOf } from './lead-scoring.js';

const BATCH = 500;

/**
 * Scores all leads of a project, one batch per transaction. Creating a lead never scores it. A new score increments the
 * lead's version, so that synchronizing clients see it, but emits no event: a run would emit one for every lead.
 */
@Job({ name: 'crm.score_leads' })
export class ScoreLeads implements JobHandler<{ project_id: string }> {
  constructor(private readonly store: Store) {}

  /** Starts over after a failure: scoring a lead again changes nothing. */
  async run(ctx: Ctx, { project_id }: { project_id: string }, { signal }: Pick<JobRun, 'signal'>): Promise<void> {
    for (let after: string | null = null; ;) {
      signal.throwIfAborted();
      const last: string | null = await this.store.write(ctx, (tx) => this.scoreBatch(ctx, tx, project_id, after));
      if (last === null) return;
      after = last;
      await yieldToEventLoop();
    }
  }

  /** Returns the id of the batch's last lead, or null when no lead follows. */
  private async scoreBatch(ctx: Ctx, tx: Tx, projectId: string, after: string | null): Promise<string | null> {
    const ids = await tx.query<{ id: string }>(
      sql.legacy(
        `SELECT id FROM leads
       WHERE organization_id = $1 AND mode = $2 AND project_id = $3 AND ($4::uuid IS NULL OR id > $4)
       ORDER BY id LIMIT $5`,
        [ctx.organizationId, ctx.mode, projectId, after, BATCH],
      ),
    );
    const leads = await tx.lockWhere(Lead, { id: ids.map(({ id }) => id) });
    const changed = leads
      .map((lead) => ({ id: lead.id, before: lead.score, score: scoreOf(lead) }))
      .filter(({ before, score }) => before !== score);
    if (changed.length > 0) {
      await tx.query(
        sql.legacy(
          `UPDATE leads SET score = given.score, version = version + 1, updated_at = now()
         FROM unnest($1::uuid[], $2::integer[]) AS given (id, score)
         WHERE leads.id = given.id`,
          [changed.map(({ id }) => id), changed.map(({ score }) => score)],
        ),
      );
    }
    return ids.length < BATCH ? null : ids[ids.length - 1].id;
  }
}
