import { Injectable } from '@nestjs/common';
import { Jobs, Projects, Store, type Ctx } from '../../../kit/index.js';
import { ScoreLeads } from './score-leads.job.js';

/** Starts the scoring of a project's leads. */
@Injectable()
export class LeadScoringService {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly jobs: Jobs,
  ) {}

  /** Enqueues the job and returns the project. A second request before the job starts adds no second job. */
  async start(ctx: Ctx, projectId: string): Promise<string> {
    const { id: project_id } = await this.projects.resolve(ctx, projectId);
    await this.store.write(ctx, (tx) => this.jobs.add(ctx, tx, ScoreLeads, { project_id }, { key: project_id }));
    return project_id;
  }
}
