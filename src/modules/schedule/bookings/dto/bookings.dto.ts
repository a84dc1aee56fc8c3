import {
  bothOf,
  Field,
  Filter,
  Listing,
  ListQuery,
  ResourceDto,
  responseOf,
  shownOf,
  type CustomFieldValues,
} from '../../../../kit/index.js';
import { EXAMPLE } from '../../model/core/example-ids.js';
import { localOf } from '../../time/zone-time.js';
import { BOOKING_STATUSES, type Booking, type BookingStatus } from '../../model/records/booking.entity.js';

/** The visitor who booked. */
export class BookingGuestDto {
  @Field.string({
    summary: true,
    description: 'Name, as the guest entered it.',
    example: 'Ada Lovelace',
  })
  name: string;

  @Field.email({
    description: 'E-mail address.',
    example: 'ada@example.com',
  })
  email: string;

  @Field.string({
    description: 'Phone number, as the guest entered it.',
    example: '+49 30 901820',
    nullable: true,
  })
  phone: string | null;

  @Field.string({
    description: 'IANA name of the time zone in which the guest chose the time.',
    example: 'Europe/Berlin',
  })
  timezone: string;

  @Field.string({
    description: 'What the guest wants the host to know.',
    example: 'I come by train.',
    maxLength: 2_000,
    nullable: true,
  })
  notes: string | null;
}

/** The merge patch of a booking. */
export class UpdateBookingDto {
  @Field.customFields('booking')
  custom_fields?: CustomFieldValues;
}

/** A time that a member of the public booked through a booking page. */
export class BookingDto extends bothOf(ResourceDto, shownOf(UpdateBookingDto, { custom_fields: 'Custom fields by key.' })) {
  @Field.constant('booking')
  object: string;

  @Field.uuid({
    description: 'Project of the calendar.',
    example: EXAMPLE.project,
  })
  project_id: string;

  @Field.uuid({
    description: 'Calendar in which the time was booked.',
    example: EXAMPLE.calendar,
  })
  calendar_id: string;

  @Field.string({
    description: 'Name of the calendar. In answers to GET.',
    example: 'Sales',
    required: false,
  })
  calendar_name?: string;

  @Field.uuid({
    description: 'Booking page through which it was booked.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d3a30',
  })
  booking_page_id: string;

  @Field.uuid({
    description: 'Event that holds the time; null once it was deleted.',
    example: EXAMPLE.event,
    nullable: true,
  })
  event_id: string | null;

  @Field.uuid({
    description: 'Resource that is booked, if any.',
    example: EXAMPLE.resource,
    nullable: true,
  })
  resource_id: string | null;

  @Field.string({
    description: 'Name of the resource. In answers to GET.',
    example: 'Room 1',
    nullable: true,
    required: false,
  })
  resource_name?: string | null;

  @Field.object(() => BookingGuestDto, {
    summary: true,
    description: 'The visitor who booked.',
    example: undefined,
  })
  guest: BookingGuestDto;

  @Field.map({
    description: 'Answers to the questions of the page, by key.',
    example: { topic: 'Sales' },
  })
  answers: Record<string, unknown>;

  @Field.string({
    summary: 'if_short',
    description: "The calendar's time zone. In answers to GET.",
    example: 'Europe/Berlin',
    required: false,
  })
  timezone?: string;

  @Field.string({
    summary: true,
    description: 'Start in that time zone. In answers to GET.',
    example: '2027-03-29T09:00:00',
    required: false,
  })
  start_local?: string;

  @Field.string({
    summary: 'if_short',
    description: 'End in that time zone. In answers to GET.',
    example: '2027-03-29T09:30:00',
    required: false,
  })
  end_local?: string;

  @Field.dateTime({
    description: 'Start, UTC.',
    example: '2027-03-29T07:00:00.000Z',
  })
  start_at: string;

  @Field.dateTime({
    description: 'End, UTC; exclusive.',
    example: '2027-03-29T07:30:00.000Z',
  })
  end_at: string;

  @Field.oneOf(BOOKING_STATUSES, {
    summary: true,
    description: 'pending until a member confirms or rejects it, where the page requires that; a pending booking takes its time.',
    example: 'confirmed',
  })
  status: BookingStatus;

  @Field.integer({
    description: 'How often the guest has rescheduled it.',
    example: 0,
    minimum: 0,
  })
  reschedule_count: number;

  static from(this: void, booking: Booking): BookingDto {
    return {
      ...responseOf(BookingDto, booking),
      ...localTimesOf(booking),
      booking_page_id: booking.page_id,
      guest: {
        name: booking.guest_name,
        email: booking.guest_email,
        phone: booking.guest_phone,
        timezone: booking.guest_timezone,
        notes: booking.guest_notes,
      },
    };
  }
}

function localTimesOf({ start_at, end_at, timezone }: Booking): Pick<BookingDto, 'start_local' | 'end_local'> {
  return timezone === undefined ? {} : { start_local: localOf(start_at, timezone), end_local: localOf(end_at, timezone) };
}

@Listing({
  sort: ['start_at', 'created_at', 'updated_at'],
  defaultSort: 'start_at',
  customFields: 'booking',
})
export class BookingsQuery extends ListQuery {
  @Filter.uuid({
    description: 'Only bookings of these calendars.',
    example: [EXAMPLE.calendar],
  })
  calendar_id?: string[];

  @Filter.uuid({
    description: 'Only bookings of these resources.',
    example: [EXAMPLE.resource],
  })
  resource_id?: string[];

  @Filter.uuid({
    description: 'Only bookings of these projects.',
    example: [EXAMPLE.project],
  })
  project_id?: string[];

  @Filter.oneOf(BOOKING_STATUSES, {
    description: 'Only bookings with these statuses.',
    example: ['pending'],
  })
  status?: BookingStatus[];

  @Filter.from('date_time', {
    description: 'Only bookings that start at or after this time.',
    example: '2027-03-01T00:00:00Z',
    column: 'start_at',
  })
  from?: string;

  @Filter.before('date_time', {
    description: 'Only bookings that start before this time or the end of this day, UTC.',
    example: '2027-04-01T00:00:00Z',
    column: 'start_at',
    endOfDay: true,
  })
  to?: string;

  @Filter.custom({
    kind: 'email',
    description: 'Only bookings of this guest, in any case.',
    example: 'ada@example.com',
    maxLength: 254,
  })
  guest_email?: string;
}

/** The new time of a booking. */
export class RescheduleBookingDto {
  @Field.dateTime({
    description: 'New start; the length stays. The present start changes only the resource.',
    example: '2027-03-30T07:00:00.000Z',
  })
  start_at: string;

  @Field.uuid({
    description: 'Resource to use instead of the present one.',
    example: EXAMPLE.resource,
    required: false,
  })
  resource_id?: string;
}

/** Why a booking is rejected or canceled. */
export class EndBookingDto {
  @Field.string({
    description: 'Reason; it is included in the mail to the guest.',
    example: 'I am ill that day.',
    maxLength: 1_000,
    required: false,
    nullable: true,
  })
  reason?: string | null;
}
