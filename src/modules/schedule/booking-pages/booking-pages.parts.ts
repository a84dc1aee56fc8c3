import type { DomainModuleOptions } from '../../../kit/index.js';
import { BookingPages } from './booking-pages.service.js';
import { OrgBookingPagesController } from './org-booking-pages.controller.js';

/** Booking pages: which times of which calendar anyone can book, and what visitors are asked. */
export const BOOKING_PAGES = {
  controllers: [OrgBookingPagesController],
  providers: [BookingPages],
} satisfies Partial<DomainModuleOptions>;
