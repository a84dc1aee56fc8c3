import { event } from '../../../../kit/index.js';
import { BookingDto } from './bookings.dto.js';

export const BookingEvents = {
  bookingCreated: event({
    name: 'booking.created',
    description: 'A member of the public booked through a booking page. What guests change later is read with updated_after.',
    permission: 'schedule.booking.manage',
    payload: BookingDto,
    context: { event: 'The event that holds the time.' },
  }),
};
