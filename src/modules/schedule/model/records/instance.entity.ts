import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { BusinessEntity, TimeColumn } from '../../../../kit/index.js';
import { ScheduleEvent, type EventStatus } from './event.entity.js';

/** Values of an instance that differ from those of its series; a member is present exactly if it was changed for this instance. */
export interface InstanceOverrides {
  /** The instance was moved; its times are its own. */
  time?: true;
  title?: string;
  location?: string | null;
  description?: string | null;
  metadata?: Record<string, unknown>;
  resource_ids?: string[];
  status?: EventStatus;
}

/**
 * One occurrence of an event. The only instance of a single event has the event's id. Times, status and resources are those
 * in force, so that windows and conflicts are read without the event.
 */
@Entity('schedule_instances')
@ForeignKey(() => ScheduleEvent, ['organization_id', 'project_id', 'mode', 'event_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'schedule_instances_event_id_fkey',
  onDelete: 'CASCADE',
})
@Unique('schedule_instances_reference_key', ['organization_id', 'project_id', 'mode', 'id'])
@Unique('schedule_instances_original_start_at_key', ['event_id', 'original_start_at'])
@Index('schedule_instances_start_at_idx', ['calendar_id', 'mode', 'start_at', 'id'])
@Index('schedule_instances_span_idx', { synchronize: false })
@Check('schedule_instances_mode_check', `mode IN ('live', 'test')`)
@Check('schedule_instances_end_at_check', 'end_at > start_at')
@Check('schedule_instances_status_check', `status IN ('confirmed', 'tentative', 'cancelled')`)
@Check('schedule_instances_overrides_check', `jsonb_typeof(overrides) = 'object'`)
export class Instance extends BusinessEntity {
  @Column('uuid')
  event_id: string;

  @Column('uuid')
  calendar_id: string;

  /** When the rule places it; stays when the instance is moved. */
  @TimeColumn()
  original_start_at: Date;

  /** `YYYY-MM-DDTHH:MM:SS` in the event's zone, as the rule has it, which a gap of the zone can differ from. */
  @Column('text')
  original_start_local: string;

  @TimeColumn()
  start_at: Date;

  @TimeColumn()
  end_at: Date;

  /** `YYYY-MM-DDTHH:MM:SS` in the event's zone. */
  @Column('text')
  start_local: string;

  /** Exclusive; null unless the event is all-day. */
  @Column('date', { nullable: true })
  end_on: string | null;

  @Column('text')
  status: EventStatus;

  /** Whether it takes the calendar's time: not cancelled and shown as busy. */
  @Column('boolean')
  busy: boolean;

  @Column('uuid', {
    array: true,
    default: '{}',
  })
  resource_ids: string[];

  @Column('jsonb', { default: {} })
  overrides: InstanceOverrides;

  /** Search vector of title and location as they are for this instance. */
  @Column({
    type: 'tsvector',
    nullable: true,
    select: false,
    insert: false,
    update: false,
  })
  search: string | null;
}
