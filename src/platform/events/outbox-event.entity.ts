import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { Scoped, TimeColumn, type Mode } from '../../kit/index.js';

/** An event. Never changed; deleted with its deliveries, when it is old or by `EventHistory`. */
@Entity('outbox_events')
@Scoped('organization')
@Check('outbox_events_mode_check', `mode IN ('live', 'test')`)
@Index('outbox_events_request_id_idx', ['request_id'], { where: 'request_id IS NOT NULL' })
@Index('outbox_events_reading_idx', ['organization_id', 'mode', 'sequence', 'id'])
@Index('outbox_events_created_at_idx', ['organization_id', 'created_at', 'id'])
export class OutboxEvent {
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  organization_id: string;

  get version(): number {
    return 1;
  }

  @Column('bigint', { default: () => `nextval('outbox_events_sequence')` })
  sequence: number;

  @Column('uuid', { nullable: true })
  project_id: string | null;

  @Column('text')
  mode: Mode;

  @Column('text')
  type: string;

  /** For the suite's modules only; never delivered to endpoints. */
  @Column('boolean', { default: false })
  internal: boolean;

  /** The call that caused it, as in the body. */
  @Column('text', { nullable: true })
  request_id: string | null;

  /** The W3C trace context of what caused it; null without tracing. */
  @Column('text', {
    nullable: true,
    select: false,
  })
  traceparent: string | null;

  /** The frozen JSON. */
  @Column('text')
  body: string;

  /** When the sequence was drawn; see SettledEvents. */
  @Column('timestamptz', {
    default: () => 'clock_timestamp()',
    select: false,
  })
  drawn_at: Date;

  @TimeColumn({ default: () => 'now()' })
  created_at: Date;

  get updated_at(): Date {
    return this.created_at;
  }
}
