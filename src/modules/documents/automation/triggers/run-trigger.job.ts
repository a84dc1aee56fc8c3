import { Contexts, Job, Store, type Ctx, type InternalEvent, type JobHandler } from '../../../../kit/index.js';
import { AuditEntry } from '../../model/records/audit-entry.entity.js';
import { GenerationRuns, isMet } from './generation-runs.js';
import { GenerationTrigger } from './generation-trigger.entity.js';

export interface TriggerRun {
  trigger_id: string;
  event: InternalEvent;
}

/** Runs one trigger for one event exactly once. Permanent errors are recorded; all others are thrown, so that the job is retried. */
@Job({ name: 'documents.run_trigger' })
export class RunTrigger implements JobHandler<TriggerRun> {
  constructor(
    private readonly store: Store,
    private readonly contexts: Contexts,
    private readonly runs: GenerationRuns,
  ) {}

  run({ organizationId, mode }: Ctx, { trigger_id, event }: TriggerRun): Promise<void> {
    const ctx = this.contexts.system({ organizationId, projectId: event.project_id, mode });
    return this.store.write(ctx, async (tx) => {
      // a job may be delivered twice, also concurrently
      await tx.advanced.mutex(`generation ${trigger_id} ${event.id}`);
      const [earlier] = await tx.list(AuditEntry, { action: 'papers.generation', trigger_id, event_id: event.id });
      const trigger = await tx.find(GenerationTrigger, trigger_id);
      const data = event.data as Record<string, unknown>;
      if (earlier || !trigger?.active || !isMet(trigger, { type: event.type, data })) return;
      await this.runs.run(ctx, tx, trigger, { id: event.id, type: event.type, data }, event.project_id);
    });
  }
}
