import { Job, Projects, Store, type Ctx, type InternalEvent, type JobHandler, type Tx } from '../../../../kit/index.js';
import { AuditEntry } from '../../model/records/audit-entry.entity.js';
import { BridgeTargets, type Bridged } from './bridge-targets.js';
import { eventRoot } from '../mapping/event-root.js';
import type { FormSubmissionDto } from '../forms/forms.dto.js';
import { isPermanent } from '../triggers/generation-runs.js';
import { IntakeBridge } from './intake-bridge.entity.js';
import { mapped } from '../mapping/source-map.js';

export interface BridgeRun {
  bridge_id: string;
  event: InternalEvent;
}

/** Runs one bridge for one submission exactly once, as the visitor. Permanent errors are recorded; all others are retried. */
@Job({ name: 'documents.run_bridge' })
export class RunBridge implements JobHandler<BridgeRun> {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly targets: BridgeTargets,
  ) {}

  run(ctx: Ctx, { bridge_id, event }: BridgeRun): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      // a job may be delivered twice, also concurrently
      await tx.advanced.mutex(`bridge ${bridge_id} ${event.id}`);
      const [earlier] = await tx.list(AuditEntry, { action: 'papers.intake_bridge', trigger_id: bridge_id, event_id: event.id });
      const bridge = await tx.find(IntakeBridge, bridge_id);
      if (earlier || !bridge?.active) return;
      await this.createTarget(ctx, tx, bridge, event);
    });
  }

  private async createTarget(ctx: Ctx, tx: Tx, { id, form_id, target, field_map }: IntakeBridge, event: InternalEvent): Promise<void> {
    const submission = event.data as FormSubmissionDto;
    const { timezone } = await this.projects.get(ctx, submission.project_id);
    let bridged: Bridged | null = null;
    let error: string | null = null;
    try {
      bridged = await tx.attempt(() => {
        const values = mapped(field_map, eventRoot(event.type, event.data as Record<string, unknown>), timezone, 'field_map');
        return this.targets.createTarget(ctx, tx, target, values, submission.project_id);
      });
    } catch (thrown) {
      if (!isPermanent(thrown)) throw thrown;
      error = thrown.message;
    }
    await tx.insert(AuditEntry, {
      project_id: submission.project_id,
      action: 'papers.intake_bridge',
      actor: ctx.actor,
      status: error === null ? 'completed' : 'failed',
      trigger_id: id,
      event_id: event.id,
      error,
      detail: { form_id, submission_id: submission.id, target, result: bridged?.result ?? null, record_id: bridged?.record_id ?? null },
    });
  }
}
