import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { ConfigurationEntity } from '../../../../kit/index.js';
import { Calendar } from './calendar.entity.js';

export const RESOURCE_MODES = ['calendar', 'visitor_chooses', 'least_busy'] as const;
export type ResourceMode = (typeof RESOURCE_MODES)[number];

/** What happens when a guest declines: `cancel` cancels the booking, `mark` gives it the status `declined`. Both free the time. */
export const DECLINE_ACTIONS = ['cancel', 'mark'] as const;
export type DeclineAction = (typeof DECLINE_ACTIONS)[number];

/** A question to the visitor. */
export interface BookingQuestion {
  /** Member of `answers`. */
  key: string;
  label: string;
  kind: 'text' | 'long_text' | 'choice' | 'checkbox';
  required: boolean;
  /** Of a choice. */
  options?: string[];
  /** The custom field of bookings that the answer fills in. */
  custom_field?: string;
}

/** A page at `/b/{slug}` on which anyone can book a time in a calendar. */
@Entity('schedule_booking_pages')
@ForeignKey(() => Calendar, ['organization_id', 'project_id', 'calendar_id'], ['organization_id', 'project_id', 'id'], {
  name: 'schedule_booking_pages_calendar_id_fkey',
})
@Unique('schedule_booking_pages_reference_key', ['organization_id', 'project_id', 'id'])
@Index('schedule_booking_pages_slug_key', ['slug'], { unique: true })
@Index('schedule_booking_pages_created_at_idx', ['organization_id', 'created_at', 'id', 'project_id'])
@Index('schedule_booking_pages_calendar_id_idx', ['calendar_id', 'created_at', 'id'])
@Check('schedule_booking_pages_project_id_check', 'project_id IS NOT NULL')
@Check('schedule_booking_pages_slug_check', `slug ~ '^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$'`)
@Check('schedule_booking_pages_title_check', 'length(title) BETWEEN 1 AND 255')
@Check('schedule_booking_pages_text_check', 'length(text) <= 5000')
@Check('schedule_booking_pages_duration_minutes_check', 'cardinality(duration_minutes) BETWEEN 1 AND 10')
@Check('schedule_booking_pages_resource_mode_check', `resource_mode IN ('calendar', 'visitor_chooses', 'least_busy')`)
@Check('schedule_booking_pages_questions_check', `jsonb_typeof(questions) = 'array'`)
@Check('schedule_booking_pages_decline_action_check', `decline_action IN ('cancel', 'mark')`)
@Check('schedule_booking_pages_change_notice_minutes_check', 'change_notice_minutes BETWEEN 0 AND 525600')
@Check('schedule_booking_pages_max_reschedules_check', 'max_reschedules BETWEEN 0 AND 100')
export class BookingPage extends ConfigurationEntity {
  declare project_id: string;

  @Column('uuid')
  calendar_id: string;

  /** Unique across all organizations, because the address does not contain the organization. */
  @Column('text')
  slug: string;

  @Column('boolean', { default: true })
  enabled: boolean;

  @Column('text')
  title: string;

  @Column('text', { nullable: true })
  text: string | null;

  /** The durations that visitors can choose from, each 5 to 1440. */
  @Column('integer', { array: true })
  duration_minutes: number[];

  @Column('text', { default: 'calendar' })
  resource_mode: ResourceMode;

  @Column('jsonb')
  questions: BookingQuestion[];

  @Column('boolean', { default: false })
  requires_confirmation: boolean;

  @Column('boolean', { default: false })
  verify_email: boolean;

  /** How long before the start guests can still reschedule or cancel. */
  @Column('integer', { default: 0 })
  change_notice_minutes: number;

  @Column('integer', { default: 3 })
  max_reschedules: number;

  @Column('text', { default: 'cancel' })
  decline_action: DeclineAction;
}
