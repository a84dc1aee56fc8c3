import { Check, Column, Entity, Index } from 'typeorm';
import { NotAudited, OrganizationEntity, TimeColumn, type Mode } from '../../../kit/index.js';

/** `ready` to be claimed, `sending`, `waiting` for its next attempt. */
export type DeliveryStatus = 'ready' | 'sending' | 'waiting' | 'delivered' | 'failed';

/** The delivery of one event to one endpoint. Written with the event, processed by the workers. */
@Entity('webhook_deliveries')
@NotAudited()
@Check('webhook_deliveries_mode_check', `mode IN ('live', 'test')`)
@Check('webhook_deliveries_status_check', `status IN ('ready', 'sending', 'waiting', 'delivered', 'failed')`)
@Index('webhook_deliveries_created_at_idx', ['organization_id', 'created_at', 'id'])
@Index('webhook_deliveries_endpoint_idx', ['endpoint_id', 'created_at', 'id'])
@Index('webhook_deliveries_event_idx', ['event_id'])
@Index('webhook_deliveries_first_idx', ['endpoint_id', 'due_at'], { where: `status = 'ready' AND tries = 0` })
@Index('webhook_deliveries_retry_idx', ['endpoint_id', 'due_at'], { where: `status = 'ready' AND tries > 0` })
@Index('webhook_deliveries_leased_idx', ['endpoint_id', 'leased_until'], { where: 'leased_until IS NOT NULL' })
@Index('webhook_deliveries_waiting_idx', ['due_at'], { where: `status = 'waiting'` })
export class WebhookDelivery extends OrganizationEntity {
  @Column('uuid', { nullable: true })
  project_id: string | null;

  @Column('text')
  mode: Mode;

  @Column('uuid')
  endpoint_id: string;

  @Column('uuid')
  event_id: string;

  @Column('text')
  event_type: string;

  @Column('text', { default: 'ready' })
  status: DeliveryStatus;

  /** All attempts ever made. */
  @Column('integer', { default: 0 })
  attempt_count: number;

  /** Attempts since it was queued; a resend starts again from 0. */
  @Column('smallint', { default: 0 })
  tries: number;

  @TimeColumn({ default: () => 'statement_timestamp()' })
  queued_at: Date;

  @TimeColumn({ default: () => 'now()' })
  due_at: Date;

  /** Set while an attempt is in flight, even if the delivery has failed meanwhile because its endpoint was disabled. */
  @TimeColumn({ nullable: true })
  leased_until: Date | null;

  /** The worker that has the lease. */
  @Column('uuid', { nullable: true })
  leased_by: string | null;

  @TimeColumn({ nullable: true })
  last_attempt_at: Date | null;

  @Column('smallint', { nullable: true })
  last_status: number | null;

  @Column('text', { nullable: true })
  last_error: string | null;

  @TimeColumn({ nullable: true })
  delivered_at: Date | null;
}
