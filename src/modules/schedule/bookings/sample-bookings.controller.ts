import { Controller, Post } from '@nestjs/common';
import { Ctx, Endpoint, Id } from '../../../kit/index.js';
import { ScheduleErrors } from '../model/core/schedule.errors.js';
import { SampleBookings } from './sample-bookings.service.js';
import { BookingDto } from './dto/bookings.dto.js';

@Controller('/api/v1/org/schedule/booking-pages/:id/sample-booking')
export class SampleBookingsController {
  constructor(private readonly samples: SampleBookings) {}

  @Post()
  @Endpoint({
    permission: 'schedule.setup.manage',
    operation: 'create_org_sample_booking',
    summary: 'Book the first free time in test mode',
    description: 'Visitors book in live mode only. The booking emits booking.created in test mode; its mails are suppressed.',
    returns: BookingDto,
    status: 201,
    errors: [ScheduleErrors.slotUnavailable],
  })
  async make(@Ctx() ctx: Ctx, @Id() id: string): Promise<BookingDto> {
    return BookingDto.from(await this.samples.make(ctx, id));
  }
}
