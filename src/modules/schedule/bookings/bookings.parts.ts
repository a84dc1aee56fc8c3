import type { DomainModuleOptions } from '../../../kit/index.js';
import { BookingCode } from '../model/records/booking-code.entity.js';
import { BookingsController } from './bookings.controller.js';
import { Bookings } from './bookings.service.js';
import { LapsePendingBookings } from './lapse-pending.scheduled-job.js';
import { BookingCodes } from './moves/booking-codes.service.js';
import { BookingMoves } from './moves/booking-moves.service.js';
import { BookingService } from './moves/booking.service.js';
import { OrgBookingsController } from './org-bookings.controller.js';
import { BookingVisitsController } from './public/booking-visits.controller.js';
import { PublicBookingController } from './public/public-booking.controller.js';
import { BookingVisits } from './public/booking-visits.service.js';
import { GuestBookings } from './public/guest-bookings.service.js';
import { SampleBookingsController } from './sample-bookings.controller.js';
import { SampleBookings } from './sample-bookings.service.js';
import { FreeTimes } from './visits/free-times.service.js';
import { OpenPages } from './visits/open-pages.service.js';

/**
 * Bookings.
 * - `pages/`: HTML from plain values. `visits/`: booking pages, their free times and what visitors enter. `views/`: the DTO and event
 * - `moves/`: booking, and what happens to a booking later, with limits, codes and mails. `public/`: routes of visitors and guests
 */
export const BOOKINGS = {
  entities: [BookingCode],
  controllers: [BookingVisitsController, PublicBookingController, BookingsController, OrgBookingsController, SampleBookingsController],
  providers: [Bookings, BookingCodes, BookingMoves, BookingService, BookingVisits, GuestBookings, FreeTimes, OpenPages, SampleBookings],
  scheduledJobs: [LapsePendingBookings],
  retention: [{ table: 'schedule_booking_codes', column: 'created_at', keepDays: 1 }],
} satisfies Partial<DomainModuleOptions>;
