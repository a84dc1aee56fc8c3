// What other modules may import from this one.
export { AvailabilitySetup } from './availability/availability-setup.service.js';
export { BookingPages } from './booking-pages/booking-pages.service.js';
export { BookingChanges } from './bookings/lifecycle/booking-changes.service.js';
export { BookingService } from './bookings/lifecycle/booking.service.js';
export { FreeTimes } from './bookings/free-times/free-times.service.js';
export { OpenPages } from './bookings/free-times/open-pages.service.js';
export { CalendarsService } from './calendars/calendars.service.js';
export { EventEdits } from './events/event-edits.service.js';
export { EventsService } from './events/events.service.js';
export { ResourcesService } from './resources/resources.service.js';
