import type { Mail } from '../../../../kit/index.js';
import { onlyReaderOf } from '../../invitations/event-mails.js';
import type { BookingPage } from '../../model/setup/booking-page.entity.js';
import type { Calendar } from '../../model/setup/calendar.entity.js';

/** The code by which a visitor proves their address. */
export function bookingCodeMail(
  to: string,
  { page, calendar, organization }: { page: BookingPage; calendar: Calendar; organization: string },
  code: string,
  minutes: number,
): Mail {
  return {
    to,
    // the subject must not contain the code, because notifications show it on locked screens
    subject: `Your code to book: ${page.title}`,
    content: {
      parts: [{ code, text: `Your code to book "${page.title}" of ${organization} is ${code}. It is valid for ${minutes} minutes.` }],
      notes: ['If you did not try to book, ignore this mail: nothing is booked without the code.'],
      reason: `You receive this mail because somebody entered your address on the booking page of ${organization}.`,
    },
    permission: 'schedule.booking.manage',
    confidential: true,
    onlyReader: onlyReaderOf(calendar),
  };
}
