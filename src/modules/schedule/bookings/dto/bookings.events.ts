import { event } from '../../../../kit/index.js';
import { NOT_PRIVATE } from '../../calendars/publish.js';
import { BookingDto } from './bookings.dto.js';

export const BookingEvents = {
  bookingCreated: event({
    name: 'booking.created',
    description: `A member of the public booked through a booking page. Guests' later changes are read with updated_after. ${NOT_PRIVATE}`,
    permission: 'schedule.booking.manage',
    payload: BookingDto,
    context: { event: 'The event that holds the time.' },
  }),
};
