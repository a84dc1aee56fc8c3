import { Job, Store, type Ctx, type JobHandler, type JobRun, currentTime } from '../../../../kit/index.js';
import { RegulatoryDrift } from './regulatory-drift.js';
import { RegulatoryRulePack } from './regulatory-rule-pack.entity.js';

/** Checks the documents of both modes against a new or changed pack. */
@Job({ name: 'documents.check_rule_pack' })
export class CheckRulePack implements JobHandler<{ pack_id: string }> {
  constructor(
    private readonly store: Store,
    private readonly drift: RegulatoryDrift,
  ) {}

  async run(ctx: Ctx, { pack_id }: { pack_id: string }, { signal }: Pick<JobRun, 'signal'>): Promise<void> {
    const pack = await this.store.find(ctx, RegulatoryRulePack, pack_id);
    if (pack) await this.drift.check(ctx, pack, currentTime(), signal);
  }
}
