import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { BusinessEntity, type Actor } from '../../../kit/index.js';
import type { ConsentChannel } from './consent.js';

/**
 * A person's answer whether they may be contacted on a channel. Append-only, and kept when the lead is deleted, as proof
 * of what was allowed at the time.
 */
@Entity('consent_records')
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'consent_records_project_id_fkey' })
@Index('consent_records_resource_id_idx', ['resource_id', 'created_at', 'id'])
@Check('consent_records_mode_check', `mode IN ('live', 'test')`)
@Check('consent_records_resource_check', `resource IN ('lead', 'contact')`)
@Check('consent_records_channel_check', `channel IN ('email', 'sms', 'whatsapp')`)
@Check('consent_records_source_check', 'length(source) <= 500')
export class ConsentRecord extends BusinessEntity {
  @Column('text')
  resource: 'lead' | 'contact';

  @Column('uuid')
  resource_id: string;

  @Column('text')
  channel: ConsentChannel;

  @Column('boolean')
  granted: boolean;

  /** Where the answer was given, as stated by the sender. */
  @Column('text', { nullable: true })
  source: string | null;

  /** False when the answer was only logged and the resource kept its consent. */
  @Column('boolean')
  applied: boolean;

  @Column('jsonb')
  recorded_by: Actor;
}
