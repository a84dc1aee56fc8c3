import type { DomainModuleOptions } from '../../../kit/index.js';
import { BookingCode } from '../model/records/booking-code.entity.js';
import { BookingsController } from './bookings.controller.js';
import { Bookings } from './bookings.service.js';
import { LapsePendingBookings } from './lapse-pending.scheduled-job.js';
import { BookingCodes } from './lifecycle/booking-codes.service.js';
import { BookingChanges } from './lifecycle/booking-changes.service.js';
import { BookingService } from './lifecycle/booking.service.js';
import { OrgBookingsController } from './org-bookings.controller.js';
import { BookingVisitsController } from './visitor-routes/booking-visits.controller.js';
import { PublicBookingController } from './visitor-routes/public-booking.controller.js';
import { BookingVisits } from './visitor-routes/booking-visits.service.js';
import { GuestBookings } from './visitor-routes/guest-bookings.service.js';
import { SampleBookingsController } from './sample-bookings.controller.js';
import { SampleBookings } from './sample-bookings.service.js';
import { FreeTimes } from './free-times/free-times.service.js';
import { OpenPages } from './free-times/open-pages.service.js';

/**
 * Bookings.
 * - `html/`: HTML from plain values. `free-times/`: booking pages by their addresses, and what is free. `dto/`: the DTO and event
 * - `lifecycle/`: booking, and what happens to a booking later, with limits, codes and mails
 * - `visitor-routes/`: the routes of visitors and guests
 */
export const BOOKINGS = {
  entities: [BookingCode],
  controllers: [BookingVisitsController, PublicBookingController, BookingsController, OrgBookingsController, SampleBookingsController],
  providers: [Bookings, BookingCodes, BookingChanges, BookingService, BookingVisits, GuestBookings, FreeTimes, OpenPages, SampleBookings],
  scheduledJobs: [LapsePendingBookings],
  retention: [{ table: 'schedule_booking_codes', column: 'created_at', keepDays: 1 }],
} satisfies Partial<DomainModuleOptions>;
