import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { Job, own, sql, Store, table, type Ctx, type JobHandler, type JobRun, type Tx } from '../../../kit/index.js';
import { Lead } from '../leads/lead.entity.js';
import { scoreOf } from './lead-scoring.js';

const BATCH = 500;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

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
      const last: string | null = await this.store.write(ctx, (tx) => this.scoreBatch(tx, project_id, after));
      if (last === null) return;
      after = last;
      await yieldToEventLoop();
    }
  }

  /** Returns the id of the batch's last lead, or null when no lead follows. */
  private async scoreBatch(tx: Tx, projectId: string, after: string | null): Promise<string | null> {
    const ids = await tx.sql<{ id: string }>(
      sql`SELECT l.id FROM ${table(Lead)} l
        WHERE ${own('l')} AND l.project_id = ${projectId} AND l.id > ${after ?? FIRST_ID} ORDER BY l.id LIMIT ${BATCH}`,
    );
    const leads = await tx.lockWhere(Lead, { id: ids.map(({ id }) => id) });
    const changed = leads
      .map((lead) => ({ id: lead.id, before: lead.score, score: scoreOf(lead) }))
      .filter(({ before, score }) => before !== score);
    if (changed.length > 0) {
      await tx.sql(
        sql`UPDATE ${table(Lead)} l SET score = given.score, version = l.version + 1, updated_at = now()
          FROM unnest(${changed.map(({ id }) => id)}::uuid[], ${changed.map(({ score }) => score)}::integer[]) AS given (id, score)
          WHERE l.id = given.id AND ${own('l')}`,
      );
    }
    return ids.length < BATCH ? null : ids[ids.length - 1].id;
  }
}
