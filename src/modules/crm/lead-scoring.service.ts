import { Injectable } from '@nestjs/common';
import { Projects, Store, type Ctx, type Tx } from '../../kit/index.js';
import { Lead } from './lead.entity.js';
import { scoreOf } from './lead-scoring.js';

const BATCH = 1000;

/** How far a run came. */
export interface ScoringRun {
  scored: number;
  changed: number;
  /** The lead to go on after; null when all are done. */
  next_after: string | null;
}

/**
 * Scores the leads of a project. Never part of a lead's arrival. A new score raises the lead's version, so synchronising
 * clients see it, but is no event: a run would send one for every lead there is.
 */
@Injectable()
export class LeadScoringService {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
  ) {}

  /** Scores at most `limit` leads, in the order of their ids, after the one given. */
  async run(ctx: Ctx, projectId: string, { after = null, limit }: { after?: string | null; limit: number }): Promise<ScoringRun> {
    const project = await this.projects.resolve(ctx, projectId);
    return this.store.write(ctx, async (tx) => {
      const run: ScoringRun = { scored: 0, changed: 0, next_after: after };
      do {
        const size = Math.min(BATCH, limit - run.scored);
        const leads = await this.batch(tx, project.id, run.next_after, size);
        run.scored += leads.length;
        run.changed += await this.save(tx, leads);
        run.next_after = leads.length < size ? null : (leads.at(-1)?.id ?? null);
      } while (run.next_after !== null && run.scored < limit);
      return run;
    });
  }

  private batch(tx: Tx, projectId: string, after: string | null, size: number): Promise<Lead[]> {
    const leads = tx.select(Lead, 't').andWhere('t.project_id = :projectId', { projectId });
    if (after !== null) leads.andWhere('t.id > :after', { after });
    return leads.orderBy('t.id').take(size).setLock('pessimistic_write').getMany();
  }

  private async save(tx: Tx, leads: readonly Lead[]): Promise<number> {
    const changed = leads.map((lead) => ({ id: lead.id, before: lead.score, score: scoreOf(lead) })).filter(({ before, score }) => before !== score);
    if (changed.length > 0) {
      await tx.manager.query('UPDATE leads SET score = given.score, version = version + 1, updated_at = now() FROM unnest($1::uuid[], $2::integer[]) AS given (id, score) WHERE leads.id = given.id', [changed.map(({ id }) => id), changed.map(({ score }) => score)]);
    }
    return changed.length;
  }
}
