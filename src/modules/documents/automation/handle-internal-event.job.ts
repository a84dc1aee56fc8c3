import { Contexts, isUuid, Job, Jobs, Store, type Ctx, type InternalEvent, type JobHandler } from '../../../kit/index.js';
import { FormEvents } from './forms/forms.events.js';
import type { FormSubmissionDto } from './forms/forms.dto.js';
import { AuditEntry } from '../model/records/audit-entry.entity.js';
import { isMet } from './triggers/generation-runs.js';
import { GenerationTrigger } from './triggers/generation-trigger.entity.js';
import { IntakeBridge } from './bridges/intake-bridge.entity.js';
import { RunBridge } from './bridges/run-bridge.job.js';
import { RunTrigger } from './triggers/run-trigger.job.js';

const DOCUMENT_EVENT = /^(paper|ai)\./;

/** Adds one job per trigger of an event and per bridge of a form, so that a failing one does not block the others. */
@Job({ name: 'documents.hear_event' })
export class HandleInternalEvent implements JobHandler<InternalEvent> {
  constructor(
    private readonly store: Store,
    private readonly contexts: Contexts,
    private readonly jobs: Jobs,
  ) {}

  async run(ctx: Ctx, event: InternalEvent): Promise<void> {
    // test-mode events create no documents automatically; only POST /generate with a test key does
    if (ctx.mode === 'test') return;
    const suite = this.contexts.system({ organizationId: ctx.organizationId, projectId: event.project_id, mode: ctx.mode });
    const [triggers, bridges] = await Promise.all([this.triggers(suite, event), this.bridges(suite, event)]);
    if (triggers.length + bridges.length === 0) return;
    await this.store.write(suite, async (tx) => {
      for (const { id } of triggers) await this.jobs.add(suite, tx, RunTrigger, { trigger_id: id, event }, { key: `${id} ${event.id}` });
      for (const { id } of bridges) await this.jobs.add(ctx, tx, RunBridge, { bridge_id: id, event }, { key: `${id} ${event.id}` });
    });
  }

  private async triggers(ctx: Ctx, { type, project_id: projectId, data }: InternalEvent): Promise<GenerationTrigger[]> {
    const triggers = (await this.store.list(ctx, GenerationTrigger, { event_type: type, active: true })).filter(
      (trigger) =>
        (trigger.project_id === null || trigger.project_id === projectId) &&
        isMet(trigger, { type, data: data as Record<string, unknown> }),
    );
    return triggers.length > 0 && DOCUMENT_EVENT.test(type) && (await this.isGenerated(ctx, data)) ? [] : triggers;
  }

  /** Whether a document event generated the document: its own events start no triggers, or two triggers could go on forever. */
  private async isGenerated(ctx: Ctx, data: object): Promise<boolean> {
    const { id } = data as { id?: string };
    if (!isUuid(id)) return false;
    const runs = await this.store.list(ctx, AuditEntry, { action: 'papers.generation', document_id: id });
    return runs.some(({ detail }) => DOCUMENT_EVENT.test(String(detail.event_type)));
  }

  private bridges(ctx: Ctx, { type, data }: InternalEvent): Promise<IntakeBridge[]> | [] {
    return type === FormEvents.formSubmitted.name
      ? this.store.list(ctx, IntakeBridge, { form_id: (data as FormSubmissionDto).form.id, active: true })
      : [];
  }
}
