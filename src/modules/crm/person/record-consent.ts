import type { Ctx, Tx } from '../../../kit/index.js';
import { answeredChannels, type ConsentFlags } from './consent.js';
import { ConsentRecord } from './consent-record.entity.js';

/** The record whose consent it is. */
export interface ConsentHolder {
  resource: 'lead' | 'contact';
  id: string;
  project_id: string;
}

/** Appends every flag to the consent log, `applied` or only received. */
export async function recordConsent(ctx: Ctx, tx: Tx, holder: ConsentHolder, flags: ConsentFlags, applied: boolean): Promise<void> {
  for (const channel of answeredChannels(flags)) {
    const record: Partial<ConsentRecord> = {
      project_id: holder.project_id,
      resource: holder.resource,
      resource_id: holder.id,
      channel,
      granted: flags[`consent_${channel}`] as boolean,
      source: flags.consent_source ?? null,
      applied,
      recorded_by: ctx.actor,
    };
    await tx.advanced.pipelined.insert(ConsentRecord, record);
  }
}
