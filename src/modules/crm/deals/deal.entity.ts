import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { BusinessEntity, CustomFields, TimeColumn, type Actor, type CustomFieldValues } from '../../../kit/index.js';
import { CrmStage } from '../pipelines/crm-stage.entity.js';
import { LeadSource } from '../config/lead-source.entity.js';
import type { PipelineKind, StageKind } from '../pipelines/stage-kind.js';

/** A possible sale. */
@Entity('deals')
@Unique('deals_reference_key', ['organization_id', 'project_id', 'mode', 'id'])
@ForeignKey(
  () => CrmStage,
  ['organization_id', 'project_id', 'pipeline_kind', 'pipeline_id', 'status', 'stage_id'],
  ['organization_id', 'project_id', 'pipeline_kind', 'pipeline_id', 'kind', 'id'],
  { name: 'deals_stage_id_fkey' },
)
@ForeignKey(() => LeadSource, ['organization_id', 'project_id', 'source_id'], ['organization_id', 'project_id', 'id'], {
  name: 'deals_source_id_fkey',
})
@ForeignKey('members', ['organization_id', 'owner_id'], ['organization_id', 'id'], { name: 'deals_owner_id_fkey' })
@Index('deals_created_at_idx', ['organization_id', 'mode', 'created_at', 'id'])
@Index('deals_project_created_at_idx', ['organization_id', 'mode', 'project_id', 'created_at', 'id'])
@Index('deals_updated_at_idx', ['organization_id', 'mode', 'updated_at', 'id', 'project_id'])
@Index('deals_amount_idx', ['organization_id', 'mode', 'amount', 'id', 'project_id'])
@Index('deals_expected_close_on_asc_idx', { synchronize: false })
@Index('deals_expected_close_on_desc_idx', { synchronize: false })
@Index('deals_stage_id_idx', ['stage_id', 'mode', 'created_at', 'id'])
@Index('deals_owner_id_idx', ['owner_id', 'mode', 'created_at', 'id'], { where: 'owner_id IS NOT NULL' })
@Index('deals_contact_ids_idx', { synchronize: false })
@Index('deals_search_idx', { synchronize: false })
@Check('deals_mode_check', `mode IN ('live', 'test')`)
@Check('deals_title_check', 'length(title) BETWEEN 1 AND 255')
@Check('deals_amount_check', 'amount BETWEEN 0 AND 9007199254740991')
@Check('deals_currency_check', `currency ~ '^[A-Z]{3}$'`)
@Check('deals_pipeline_kind_check', `pipeline_kind = 'deal'`)
@Check('deals_contact_ids_check', 'cardinality(contact_ids) <= 50')
@Check('deals_lost_reason_check', `lost_reason IS NULL OR (status = 'lost' AND length(lost_reason) <= 500)`)
@Check('deals_closed_at_check', `(closed_at IS NOT NULL) = (status IN ('won', 'lost'))`)
@Check('deals_custom_fields_check', `jsonb_typeof(custom_fields) = 'object'`)
export class Deal extends BusinessEntity {
  @Column('text')
  title: string;

  /** In the currency's minor unit. */
  @Column('bigint')
  amount: number;

  /** ISO 4217. */
  @Column('text')
  currency: string;

  /** Constant; part of the foreign key, so that a deal can only be in deal pipelines. */
  @Column({
    type: 'text',
    default: 'deal',
    select: false,
    insert: false,
    update: false,
  })
  pipeline_kind: PipelineKind;

  @Column('uuid')
  pipeline_id: string;

  @Column('uuid')
  stage_id: string;

  /** The kind of the stage; the foreign key keeps both consistent. */
  @Column('text')
  status: StageKind;

  @Column('uuid', { nullable: true })
  owner_id: string | null;

  @Column('uuid', { nullable: true })
  source_id: string | null;

  /** Contacts of the same project and mode; a trigger rejects other ids. */
  @Column('uuid', {
    array: true,
    default: '{}',
  })
  contact_ids: string[];

  @Column('date', { nullable: true })
  expected_close_on: string | null;

  @Column('text', { nullable: true })
  lost_reason: string | null;

  @TimeColumn({ nullable: true })
  closed_at: Date | null;

  @CustomFields('deal')
  custom_fields: CustomFieldValues;

  @Column('jsonb')
  created_by: Actor;

  /** Words of the title; written by a trigger. */
  @Column({
    type: 'tsvector',
    nullable: true,
    select: false,
    insert: false,
    update: false,
  })
  search: string | null;
}
