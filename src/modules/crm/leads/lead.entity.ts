import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { CustomFields, TimeColumn, type CustomFieldValues } from '../../../kit/index.js';
import { Contact } from '../contacts/contact.entity.js';
import { CrmStage } from '../pipelines/crm-stage.entity.js';
import { Deal } from '../deals/deal.entity.js';
import { LeadSource } from '../config/lead-source.entity.js';
import { Person } from '../person/person.entity.js';
import type { PipelineKind, StageKind } from '../pipelines/stage-kind.js';

/** A person who may become a customer. The lead webhook matches by the normalized columns; they are not unique. */
@Entity('leads')
@Unique('leads_reference_key', ['organization_id', 'project_id', 'mode', 'id'])
@ForeignKey(
  () => CrmStage,
  ['organization_id', 'project_id', 'pipeline_kind', 'pipeline_id', 'status_kind', 'status_id'],
  ['organization_id', 'project_id', 'pipeline_kind', 'pipeline_id', 'kind', 'id'],
  { name: 'leads_status_id_fkey' },
)
@ForeignKey(() => LeadSource, ['organization_id', 'project_id', 'source_id'], ['organization_id', 'project_id', 'id'], {
  name: 'leads_source_id_fkey',
})
@ForeignKey('members', ['organization_id', 'owner_id'], ['organization_id', 'id'], { name: 'leads_owner_id_fkey' })
@ForeignKey(
  () => Contact,
  ['organization_id', 'project_id', 'mode', 'converted_contact_id'],
  ['organization_id', 'project_id', 'mode', 'id'],
  { name: 'leads_converted_contact_id_fkey' },
)
@ForeignKey(() => Deal, ['organization_id', 'project_id', 'mode', 'converted_deal_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'leads_converted_deal_id_fkey',
})
@Index('leads_created_at_idx', ['organization_id', 'mode', 'created_at', 'id'])
@Index('leads_project_created_at_idx', ['organization_id', 'mode', 'project_id', 'created_at', 'id'])
@Index('leads_updated_at_idx', ['organization_id', 'mode', 'updated_at', 'id', 'project_id'])
@Index('leads_score_idx', ['organization_id', 'mode', 'score', 'id', 'project_id'])
@Index('leads_status_id_idx', ['status_id', 'mode', 'created_at', 'id'])
@Index('leads_owner_id_idx', ['owner_id', 'mode', 'status_kind', 'created_at', 'id'], { where: 'owner_id IS NOT NULL' })
@Index('leads_email_normalized_idx', ['organization_id', 'mode', 'email_normalized', 'project_id', 'id'], {
  where: 'email_normalized IS NOT NULL',
})
@Index('leads_phone_normalized_idx', ['organization_id', 'mode', 'phone_normalized', 'project_id', 'id'], {
  where: 'phone_normalized IS NOT NULL',
})
@Index('leads_external_id_idx', ['organization_id', 'mode', 'external_id', 'project_id', 'id'], { where: 'external_id IS NOT NULL' })
@Index('leads_converted_idx', ['organization_id', 'mode', 'created_at', 'id'], { where: 'converted_at IS NOT NULL' })
@Index('leads_search_idx', { synchronize: false })
@Check('leads_mode_check', `mode IN ('live', 'test')`)
@Check('leads_full_name_check', 'length(full_name) BETWEEN 1 AND 255')
@Check('leads_email_check', 'email IS NOT NULL OR phone IS NOT NULL')
@Check('leads_pipeline_kind_check', `pipeline_kind = 'lead'`)
@Check('leads_custom_fields_check', `jsonb_typeof(custom_fields) = 'object'`)
@Check('leads_consent_check', `jsonb_typeof(consent) = 'object'`)
@Check('leads_submission_count_check', 'submission_count >= 1')
@Check('leads_score_check', 'score BETWEEN 0 AND 100')
@Check(
  'leads_converted_at_check',
  '(converted_at IS NULL) = (converted_contact_id IS NULL) AND (converted_deal_id IS NULL OR converted_at IS NOT NULL)',
)
export class Lead extends Person {
  /** Constant; part of the foreign key, so that only stages of lead pipelines can be statuses. */
  @Column({
    type: 'text',
    default: 'lead',
    select: false,
    insert: false,
    update: false,
  })
  pipeline_kind: PipelineKind;

  @Column('uuid')
  pipeline_id: string;

  @Column('uuid')
  status_id: string;

  /** The kind of the status; the foreign key keeps both consistent. */
  @Column('text')
  status_kind: StageKind;

  @Column('text', { nullable: true })
  utm_source: string | null;

  @Column('text', { nullable: true })
  utm_campaign: string | null;

  @CustomFields('lead')
  custom_fields: CustomFieldValues;

  /** How often the lead was submitted. */
  @Column('integer', { default: 1 })
  submission_count: number;

  /** 0 until the scoring job sets it. */
  @Column('integer', { default: 0 })
  score: number;

  @TimeColumn({ nullable: true })
  converted_at: Date | null;

  @Column('uuid', { nullable: true })
  converted_contact_id: string | null;

  @Column('uuid', { nullable: true })
  converted_deal_id: string | null;
}
