import type { Booking } from '../../model/records/booking.entity.js';
import type { BookingPage } from '../../model/setup/booking-page.entity.js';

const OPENINGS = {
  requested: ['Requested', 'Somebody asks for an appointment. Please confirm or reject it.'],
  booked: ['Booked', 'Somebody has booked an appointment.'],
  moved: ['Moved', 'A guest has moved an appointment.'],
  cancelled: ['Canceled', 'A guest has canceled an appointment.'],
  declined: ['Declined', 'A guest has declined an appointment, so its time is free again.'],
} as const;

export type HostNotice = keyof typeof OPENINGS;

/** The mail to the host. Only its details contain what the visitor typed, never its subject. */
export function hostNotice(
  notice: HostNotice,
  booking: Booking,
  page: BookingPage,
): { subject: string; opening: string; details: (readonly [string, string])[] } {
  const [subject, opening] = OPENINGS[notice];
  const details = [
    ['Guest', unlinked(booking.guest_name)] as const,
    ['E-mail', booking.guest_email] as const,
    ...(booking.guest_phone === null ? [] : [['Phone', booking.guest_phone] as const]),
    ...page.questions.flatMap(({ key, label }) => {
      const answer = booking.answers[key];
      return answer === undefined
        ? []
        : [[label, typeof answer === 'boolean' ? (answer ? 'yes' : 'no') : unlinked(String(answer))] as const];
    }),
    ...(booking.guest_notes === null ? [] : [['Note', unlinked(booking.guest_notes)] as const]),
  ];
  return { subject: `${subject}: ${page.title}`, opening, details };
}

/** Mail programs turn addresses in plain text into links; an invisible space after each dot and colon prevents that. */
function unlinked(text: string): string {
  return text.replace(/[.:@](?=\S)/g, '$&\u200b');
}
