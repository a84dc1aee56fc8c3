import { Check, Column, Entity, ForeignKey, Index, Unique, VirtualColumn } from 'typeorm';
import { BusinessEntity, CustomFields, EncryptedColumn, TimeColumn, type CustomFieldValues } from '../../../../kit/index.js';
import { BookingPage } from '../setup/booking-page.entity.js';
import { Calendar } from '../setup/calendar.entity.js';
import { Resource } from '../setup/resource.entity.js';
import { ScheduleEvent } from './event.entity.js';

export const BOOKING_STATUSES = ['pending', 'confirmed', 'rejected', 'cancelled', 'declined', 'no_show'] as const;
export type BookingStatus = (typeof BOOKING_STATUSES)[number];

/** The resource of their custom fields. */
export const BOOKING_FIELDS = 'booking';

/** A time that a visitor booked through a booking page. Its event holds the time. */
@Entity('schedule_bookings')
@ForeignKey(() => Calendar, ['organization_id', 'project_id', 'calendar_id'], ['organization_id', 'project_id', 'id'], {
  name: 'schedule_bookings_calendar_id_fkey',
})
@ForeignKey(() => BookingPage, ['organization_id', 'project_id', 'page_id'], ['organization_id', 'project_id', 'id'], {
  name: 'schedule_bookings_page_id_fkey',
})
@ForeignKey(() => ScheduleEvent, ['organization_id', 'project_id', 'mode', 'event_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'schedule_bookings_event_id_fkey',
})
@ForeignKey(() => Resource, ['organization_id', 'project_id', 'resource_id'], ['organization_id', 'project_id', 'id'], {
  name: 'schedule_bookings_resource_id_fkey',
})
@Unique('schedule_bookings_form_token_key', ['page_id', 'form_token'])
@Index('schedule_bookings_token_hash_key', ['token_hash'], { unique: true })
@Index('schedule_bookings_event_id_key', ['event_id'], {
  unique: true,
  where: 'event_id IS NOT NULL',
})
@Index('schedule_bookings_start_at_idx', ['organization_id', 'mode', 'start_at', 'id', 'project_id'])
@Index('schedule_bookings_created_at_idx', ['organization_id', 'mode', 'created_at', 'id', 'project_id'])
@Index('schedule_bookings_updated_at_idx', ['organization_id', 'mode', 'updated_at', 'id', 'project_id'])
@Index('schedule_bookings_calendar_id_idx', ['calendar_id', 'mode', 'start_at', 'id'])
@Index('schedule_bookings_page_id_idx', ['page_id', 'created_at'])
@Index('schedule_bookings_guest_email_idx', { synchronize: false })
@Index('schedule_bookings_pending_idx', ['created_at'], { where: `status = 'pending'` })
@Index('schedule_bookings_resource_id_idx', ['resource_id', 'mode', 'start_at'], { where: 'resource_id IS NOT NULL' })
@Index('schedule_bookings_resource_created_at_idx', ['resource_id', 'mode', 'created_at'], { where: 'resource_id IS NOT NULL' })
@Check('schedule_bookings_mode_check', `mode IN ('live', 'test')`)
@Check('schedule_bookings_end_at_check', 'end_at > start_at')
@Check('schedule_bookings_status_check', `status IN ('pending', 'confirmed', 'rejected', 'cancelled', 'declined', 'no_show')`)
@Check('schedule_bookings_answers_check', `jsonb_typeof(answers) = 'object'`)
@Check('schedule_bookings_custom_fields_check', `jsonb_typeof(custom_fields) = 'object'`)
@Check('schedule_bookings_reschedule_count_check', 'reschedule_count >= 0')
export class Booking extends BusinessEntity {
  @Column('uuid')
  calendar_id: string;

  @Column('uuid')
  page_id: string;

  /** Null once the event was deleted. */
  @Column('uuid', { nullable: true })
  event_id: string | null;

  @Column('uuid', { nullable: true })
  resource_id: string | null;

  @Column('text')
  guest_name: string;

  @Column('text')
  guest_email: string;

  @Column('text', { nullable: true })
  guest_phone: string | null;

  /** IANA name. */
  @Column('text')
  guest_timezone: string;

  @Column('text', { nullable: true })
  guest_notes: string | null;

  @Column('jsonb', { default: {} })
  answers: Record<string, unknown>;

  @CustomFields(BOOKING_FIELDS)
  custom_fields: CustomFieldValues;

  @TimeColumn()
  start_at: Date;

  @TimeColumn()
  end_at: Date;

  @Column('text')
  status: BookingStatus;

  /** A token of the form, so that a form that is sent twice books once. */
  @Column('uuid')
  form_token: string;

  /** SHA-256 of the token in the guest's link, hexadecimal. */
  @Column('text')
  token_hash: string;

  /** The token, encrypted, for later mails with the link. */
  @EncryptedColumn({ nullable: true })
  token_sealed: string | null;

  @Column('integer', { default: 0 })
  reschedule_count: number;

  /** Under which limits count the visitor, `Visitor.limitKey`; null for a sample. */
  @Column('text', { nullable: true })
  address: string | null;

  /** That of the calendar. */
  @VirtualColumn({
    type: 'text',
    query: (booking) => `SELECT c.timezone FROM schedule_calendars c WHERE c.id = ${booking}.calendar_id`,
  })
  readonly timezone?: string;
}
