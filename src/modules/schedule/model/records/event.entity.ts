import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { BusinessEntity, CustomFields, TimeColumn, type Actor, type CustomFieldValues } from '../../../../kit/index.js';
import { Calendar, type Organizer } from '../setup/calendar.entity.js';
import { EventTemplate } from '../setup/event-template.entity.js';

export const EVENT_STATUSES = ['confirmed', 'tentative', 'cancelled'] as const;
export const SHOW_AS = ['busy', 'free'] as const;

export type EventStatus = (typeof EVENT_STATUSES)[number];
export type ShowAs = (typeof SHOW_AS)[number];

/** An event, or a series of events. Its instances have the times; a single event has one instance. */
@Entity('schedule_events')
@ForeignKey(() => Calendar, ['organization_id', 'project_id', 'calendar_id'], ['organization_id', 'project_id', 'id'], {
  name: 'schedule_events_calendar_id_fkey',
})
@ForeignKey(() => EventTemplate, ['organization_id', 'project_id', 'template_id'], ['organization_id', 'project_id', 'id'], {
  name: 'schedule_events_template_id_fkey',
})
@Unique('schedule_events_reference_key', ['organization_id', 'project_id', 'mode', 'id'])
@Index('schedule_events_updated_at_idx', ['calendar_id', 'mode', 'updated_at', 'id'])
@Index('schedule_events_start_at_idx', ['calendar_id', 'mode', 'start_at', 'id'])
@Index('schedule_events_template_id_idx', ['template_id'])
@Index('schedule_events_tz_release_idx', ['tz_release', 'id'], { where: 'wall_clock' })
@Check('schedule_events_mode_check', `mode IN ('live', 'test')`)
@Check('schedule_events_title_check', 'length(title) BETWEEN 1 AND 255')
@Check('schedule_events_location_check', 'length(location) <= 500')
@Check('schedule_events_description_check', 'length(description) <= 20000')
@Check('schedule_events_end_at_check', 'end_at > start_at')
@Check('schedule_events_end_on_check', 'end_on > start_on')
@Check('schedule_events_start_on_check', 'all_day = (start_on IS NOT NULL) AND all_day = (end_on IS NOT NULL)')
@Check('schedule_events_exdates_check', 'cardinality(exdates) <= 366 AND (rrule IS NOT NULL OR cardinality(exdates) = 0)')
@Check('schedule_events_wall_clock_check', 'wall_clock OR (rrule IS NULL AND NOT all_day)')
@Check('schedule_events_status_check', `status IN ('confirmed', 'tentative', 'cancelled')`)
@Check('schedule_events_show_as_check', `show_as IN ('busy', 'free')`)
@Check('schedule_events_resource_ids_check', 'cardinality(resource_ids) <= 20')
@Check('schedule_events_metadata_check', `jsonb_typeof(metadata) = 'object'`)
@Check('schedule_events_custom_fields_check', `jsonb_typeof(custom_fields) = 'object'`)
@Check('schedule_events_sequence_check', 'sequence >= 0')
export class ScheduleEvent extends BusinessEntity {
  @Column('uuid')
  calendar_id: string;

  @Column('uuid')
  template_id: string;

  @Column('text')
  title: string;

  @Column('text', { nullable: true })
  description: string | null;

  @Column('text', { nullable: true })
  location: string | null;

  /** Of the first instance that the rule has, also if it was moved or left out. All-day: the first instant of `start_on`. */
  @TimeColumn()
  start_at: Date;

  @TimeColumn()
  end_at: Date;

  /** IANA name. */
  @Column('text')
  timezone: string;

  /** `YYYY-MM-DDTHH:MM:SS` in the zone. */
  @Column('text')
  start_local: string;

  /** Whether the local time is binding; `start_at` is derived from it. */
  @Column('boolean')
  wall_clock: boolean;

  @Column('boolean', { default: false })
  all_day: boolean;

  @Column('date', { nullable: true })
  start_on: string | null;

  /** Exclusive. */
  @Column('date', { nullable: true })
  end_on: string | null;

  /** The value of an RRULE; null for a single event. */
  @Column('text', { nullable: true })
  rrule: string | null;

  /** Local dates on which the rule has no instance; a rule has at most one instance on a local date. */
  @Column('date', {
    array: true,
    default: '{}',
  })
  exdates: string[];

  @Column('text', { default: 'confirmed' })
  status: EventStatus;

  @Column('text', { default: 'busy' })
  show_as: ShowAs;

  @Column('uuid', {
    array: true,
    default: '{}',
  })
  resource_ids: string[];

  @Column('jsonb', { default: {} })
  metadata: Record<string, unknown>;

  /** Of a series, those of all its instances. */
  @CustomFields('event')
  custom_fields: CustomFieldValues;

  @Column('integer', { default: 0 })
  invitee_count: number;

  /** The UID in calendar programs. */
  @Column('text')
  ical_uid: string;

  /** The SEQUENCE in calendar programs: raised with each change that they must show. */
  @Column('integer', { default: 0 })
  sequence: number;

  @Column('jsonb', { nullable: true })
  organizer: Organizer | null;

  /** The series that it continues after a change of "this and following". */
  @Column('uuid', { nullable: true })
  split_from: string | null;

  @Column('jsonb')
  created_by: Actor;

  /** The release of the time zone database by which the instants were computed at the latest; empty: unknown. */
  @Column('text', { default: '' })
  tz_release: string;

  /** Search vector of title and location; maintained by a trigger. */
  @Column({
    type: 'tsvector',
    nullable: true,
    select: false,
    insert: false,
    update: false,
  })
  search: string | null;
}
