import { ERASED_EMAIL, ERASED_NAME, ERASED_TEXT, own, personalData, sql, table } from '../../../kit/index.js';
import { BookingCode } from '../model/records/booking-code.entity.js';
import { Booking } from '../model/records/booking.entity.js';
import { ScheduleEvent } from '../model/records/event.entity.js';
import { Invitee } from '../model/records/invitee.entity.js';

/** What the module stores about people: guests and invitees. Times stay, as they were taken. */
export const SCHEDULE_PERSONAL_DATA = [
  personalData(ScheduleEvent, {
    title: 'events of bookings',
    where: ({ email }) => sql`
      t.id IN (SELECT b.event_id FROM ${table(Booking)} b WHERE ${own('b')} AND lower(b.guest_email) = ${email})`,
    erase: { title: ERASED_TEXT, description: null, location: null, metadata: {}, custom_fields: {} },
  }),
  personalData(Booking, {
    title: 'bookings',
    where: ({ email }) => sql`lower(t.guest_email) = ${email}`,
    names: ['guest_name'],
    erase: {
      guest_name: ERASED_NAME,
      guest_email: ERASED_EMAIL,
      guest_phone: null,
      guest_notes: null,
      answers: {},
      custom_fields: {},
      address: null,
      token_sealed: null,
    },
  }),
  personalData(Invitee, {
    title: 'invitees',
    where: ({ email }) => sql`lower(t.email) = ${email}`,
    names: ['name'],
    erase: { email: sql`'erased-' || t.id || '@erased.invalid'`, name: null, token_sealed: null, invitation_error: null },
  }),
  personalData(BookingCode, { title: 'codes for bookings', where: ({ email }) => sql`t.email = ${email}`, erase: 'delete' }),
];
