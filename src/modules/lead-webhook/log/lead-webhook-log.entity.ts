import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { NotAudited, Scoped, TimeColumn, type Mode } from '../../../kit/index.js';

export const LOG_RESULTS = ['created', 'matched', 'updated', 'replayed', 'refused', 'failed'] as const;

export type LogResult = (typeof LOG_RESULTS)[number];

/**
 * One request to the lead webhook with a known key. It has the columns of the kit's OrganizationEntity without extending it,
 * because LeadWebhookLog writes rows in bulk and only the purge changes them. It has no foreign keys, because it outlives
 * the records it names.
 */
@Entity('lead_webhook_logs')
@Scoped('organization')
@NotAudited()
@Index('lead_webhook_logs_created_at_idx', ['organization_id', 'created_at', 'id'])
@Index('lead_webhook_logs_api_key_id_idx', ['organization_id', 'api_key_id', 'created_at', 'id'])
@Index('lead_webhook_logs_lead_id_idx', ['organization_id', 'lead_id', 'created_at', 'id'], { where: 'lead_id IS NOT NULL' })
@Index('lead_webhook_logs_unmasked_idx', ['id'], { where: 'NOT body_masked' })
@Check('lead_webhook_logs_mode_check', `mode IN ('live', 'test')`)
@Check('lead_webhook_logs_result_check', `result IN ('created', 'matched', 'updated', 'replayed', 'refused', 'failed')`)
export class LeadWebhookLogRow {
  /** UUID v7; the `log_id` in the response to an accepted submission. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  organization_id: string;

  get version(): number {
    return 1;
  }

  @Column('uuid', { nullable: true })
  project_id: string | null;

  @Column('text')
  mode: Mode;

  @Column('uuid')
  api_key_id: string;

  @Column('text')
  request_id: string;

  @Column('text')
  address: string;

  @Column('text', { nullable: true })
  user_agent: string | null;

  @Column('smallint')
  status: number;

  @Column('text', { nullable: true })
  code: string | null;

  @Column('text')
  result: LogResult;

  @Column('uuid', { nullable: true })
  lead_id: string | null;

  /** All matching leads when there were several. */
  @Column('uuid', {
    array: true,
    default: '{}',
  })
  candidate_ids: string[];

  @Column('real')
  duration_ms: number;

  /** As received, of bounded length; null when it was too large to be read. */
  @Column('text', {
    nullable: true,
    select: false,
  })
  body: string | null;

  @Column('integer', { nullable: true })
  body_bytes: number | null;

  @Column('boolean', { default: false })
  body_masked: boolean;

  /** When the response was sent; for an accepted submission, when its transaction began. */
  @TimeColumn()
  created_at: Date;

  /** Equal to created_at: every list filters by it. */
  @TimeColumn()
  updated_at: Date;
}
