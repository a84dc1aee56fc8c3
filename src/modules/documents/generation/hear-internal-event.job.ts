import { Contexts, Job, Jobs, Store, type Ctx, type InternalEvent, type JobHandler } from '../../../kit/index.js';
import { GenerationTrigger } from './generation-trigger.entity.js';
import { RunTrigger } from './run-trigger.job.js';

/** Gives each trigger of an event a job of its own, so that one which fails holds up no other. */
@Job({ name: 'documents.hear_event' })
export class HearInternalEvent implements JobHandler<InternalEvent> {
  constructor(
    private readonly store: Store,
    private readonly contexts: Contexts,
    private readonly jobs: Jobs,
  ) {}

  async run({ organizationId, mode }: Ctx, event: InternalEvent): Promise<void> {
    // what is tried out makes no documents by itself: only POST /generate with a test key does
    if (mode === 'test') return;
    const ctx = this.contexts.system({ organizationId, projectId: event.project_id, mode });
    const triggers = (await this.store.list(ctx, GenerationTrigger, { event_type: event.type, active: true })).filter(({ project_id }) => project_id === null || project_id === event.project_id);
    if (triggers.length === 0) return;
    await this.store.write(ctx, async (tx) => {
      for (const { id } of triggers) await this.jobs.add(ctx, tx, RunTrigger, { trigger_id: id, event }, { key: `${id} ${event.id}` });
    });
  }
}
