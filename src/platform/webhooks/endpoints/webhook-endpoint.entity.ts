import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { OrganizationEntity, TimeColumn, type Mode } from '../../../kit/index.js';
import { Organization } from '../../people/model/organization.entity.js';
import { Project } from '../../people/model/project.entity.js';
import type { EventFilter } from './event-filter.js';

export type EndpointStatus = 'enabled' | 'disabled';
/** `gone`: the receiver responded with 410. `failing`: no success for days. */
export type DisabledReason = 'manual' | 'gone' | 'failing';

/** Where events of one organization and mode are sent. */
@Entity('webhook_endpoints')
@ForeignKey(() => Organization, ['organization_id'], ['id'], { name: 'webhook_endpoints_organization_fkey' })
@ForeignKey(() => Project, ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'webhook_endpoints_project_fkey' })
@Check('webhook_endpoints_mode_check', `mode IN ('live', 'test')`)
@Check('webhook_endpoints_events_check', `cardinality(events) > 0`)
@Check('webhook_endpoints_status_check', `status IN ('enabled', 'disabled')`)
@Check('webhook_endpoints_disabled_reason_check', `disabled_reason IN ('manual', 'gone', 'failing')`)
@Check('webhook_endpoints_max_concurrency_check', `max_concurrency BETWEEN 1 AND 100`)
@Check('webhook_endpoints_max_per_minute_check', `max_per_minute BETWEEN 1 AND 60000`)
@Check(
  'webhook_endpoints_disabled_check',
  `(status = 'disabled') = (disabled_reason IS NOT NULL) AND (status = 'disabled') = (disabled_at IS NOT NULL)`,
)
@Index('webhook_endpoints_created_at_idx', ['organization_id', 'created_at', 'id'])
@Index('webhook_endpoints_enabled_idx', ['organization_id', 'mode'], { where: `status = 'enabled'` })
export class WebhookEndpoint extends OrganizationEntity {
  @Column('text')
  mode: Mode;

  /** Only events of this project; null for all of the organization. */
  @Column('uuid', { nullable: true })
  project_id: string | null;

  @Column('text')
  url: string;

  @Column('text', { nullable: true })
  description: string | null;

  /** Event types, or `*` for all. */
  @Column('text', { array: true })
  events: string[];

  @Column('text', { default: 'enabled' })
  status: EndpointStatus;

  @Column('text', { nullable: true })
  disabled_reason: DisabledReason | null;

  @TimeColumn({ nullable: true })
  disabled_at: Date | null;

  /** Deliveries queued before this time are not sent. */
  @TimeColumn()
  enabled_at: Date;

  /** The first failure since the last success. Written by the workers without raising `version`. */
  @TimeColumn({ nullable: true })
  failing_since: Date | null;

  /** Since when responses are slow. Written like `failing_since`. */
  @TimeColumn({ nullable: true })
  slow_since: Date | null;

  @Column('smallint')
  max_concurrency: number;

  /** Deliveries per minute; null for no limit. Counted in webhook_rates. */
  @Column('integer', { nullable: true })
  max_per_minute: number | null;

  /** Only events that have one of the values at each path. */
  @Column('jsonb', { nullable: true })
  filter: EventFilter | null;

  @Column('text', {
    array: true,
    default: '{}',
  })
  header_names: string[];

  /** The headers as JSON, encrypted like the secret. */
  @Column('bytea', {
    nullable: true,
    select: false,
  })
  headers: Buffer | null;

  /** Encrypted by SecretBox. Not selected, so that no response can contain it. */
  @Column('bytea', { select: false })
  secret: Buffer;

  /**
   * Nothing is sent before this time, because the receiver asked for a pause, except what members request. Written like
   * `failing_since`.
   */
  @TimeColumn({ nullable: true })
  held_until: Date | null;

  /** The response that asked for the pause. */
  @Column('text', { nullable: true })
  hold_reason: string | null;

  /** The secrets before the last rolls; each also signs until it expires. */
  @Column('bytea', {
    array: true,
    default: '{}',
    select: false,
  })
  earlier_secrets: Buffer[];

  @Column('timestamptz', {
    array: true,
    default: '{}',
    select: false,
  })
  earlier_secrets_expire_at: Date[];

  /** When the last of them expires. */

  @TimeColumn({ nullable: true })
  previous_secret_expires_at: Date | null;
}
