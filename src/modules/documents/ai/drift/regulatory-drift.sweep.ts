import { Maintenance, Sweep, type SweepHandler } from '../../../../kit/index.js';
import { RegulatoryDrift } from './regulatory-drift.js';
import type { RegulatoryRulePack } from './regulatory-rule-pack.entity.js';

const BATCH = 50;

/** Every night: rules come into force by their day, and documents change. */
@Sweep({ name: 'documents.regulatory_drift', everySeconds: 24 * 60 * 60 })
export class RegulatoryDriftSweep implements SweepHandler {
  constructor(
    private readonly maintenance: Maintenance,
    private readonly drift: RegulatoryDrift,
  ) {}

  async run(now: Date, signal: AbortSignal): Promise<void> {
    for (let after: string | null = null; ;) {
      const packs: RegulatoryRulePack[] = await this.maintenance.query<RegulatoryRulePack>(
        'SELECT * FROM regulatory_rule_packs WHERE active AND ($1::uuid IS NULL OR id > $1) ORDER BY id LIMIT $2',
        [after, BATCH],
      );
      for (const pack of packs) await this.drift.sweep(pack, now, signal);
      if (packs.length < BATCH) return;
      after = packs[packs.length - 1].id;
    }
  }
}
