import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { ConfigurationEntity } from '../../../../kit/index.js';
import { IntakeForm } from '../forms/intake-form.entity.js';
import type { SourceMap } from '../mapping/source-map.js';

export const BRIDGE_TARGETS = ['lead', 'task', 'ticket'] as const;
export type BridgeTarget = (typeof BRIDGE_TARGETS)[number];

/** Creates a record of another module from each submission of a form. */
@Entity('intake_bridges')
@ForeignKey(() => IntakeForm, ['organization_id', 'form_id'], ['organization_id', 'id'], {
  name: 'intake_bridges_form_id_fkey',
  onDelete: 'CASCADE',
})
@Index('intake_bridges_form_id_idx', ['form_id', 'created_at', 'id'])
@Check('intake_bridges_target_check', `target IN ('lead', 'task', 'ticket')`)
export class IntakeBridge extends ConfigurationEntity {
  @Column('uuid')
  form_id: string;

  @Column('text')
  name: string;

  @Column('text')
  target: BridgeTarget;

  @Column('jsonb')
  field_map: SourceMap;

  @Column('boolean', { default: true })
  active: boolean;
}
