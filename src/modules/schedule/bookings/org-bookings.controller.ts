import { Body, Controller, Get, Patch, Post, Query } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id, type ListBody } from '../../../kit/index.js';
import { ScheduleErrors } from '../model/core/schedule.errors.js';
import { requireSchedulable } from '../time/zone-time.js';
import { ScheduleNames } from '../event-views/schedule-names.service.js';
import { Bookings } from './bookings.service.js';
import { BookingChanges } from './lifecycle/booking-changes.service.js';
import { BookingDto, BookingsQuery, EndBookingDto, RescheduleBookingDto, UpdateBookingDto } from './dto/bookings.dto.js';

const permission = 'schedule.booking.manage';
const errors = [ScheduleErrors.invalidTransition];
const returns = BookingDto;

@Controller('/api/v1/org/schedule/bookings')
export class OrgBookingsController {
  constructor(
    private readonly bookings: Bookings,
    private readonly changes: BookingChanges,
    private readonly names: ScheduleNames,
  ) {}

  @Get()
  @Endpoint({
    permission,
    operation: 'list_org_bookings',
    summary: 'List bookings',
    returns,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: BookingsQuery): Promise<ListBody<BookingDto>> {
    const page = await this.bookings.page(ctx, query);
    return { object: 'list', ...page, data: await this.names.ofBookings(ctx, page.data.map(BookingDto.from)) };
  }

  @Get(':id')
  @Endpoint({
    permission,
    operation: 'get_org_booking',
    summary: 'Get one booking',
    returns,
  })
  async get(@Ctx() ctx: Ctx, @Id() id: string): Promise<BookingDto> {
    const [named] = await this.names.ofBookings(ctx, [BookingDto.from(await this.bookings.get(ctx, id))]);
    return named;
  }

  @Patch(':id')
  @Endpoint({
    permission,
    operation: 'update_org_booking',
    summary: 'Change the custom fields of a booking',
    returns,
  })
  async update(@Ctx() ctx: Ctx, @Id() id: string, @Body() { custom_fields }: UpdateBookingDto): Promise<BookingDto> {
    return BookingDto.from(await this.changes.update(ctx, id, custom_fields));
  }

  @Post(':id/confirm')
  @Endpoint({
    permission,
    errors: [...errors, CommonErrors.rateLimited],
    operation: 'confirm_org_booking',
    summary: 'Confirm a pending booking',
    returns,
    openWorld: true,
  })
  async confirm(@Ctx() ctx: Ctx, @Id() id: string): Promise<BookingDto> {
    return BookingDto.from(await this.changes.confirm(ctx, id));
  }

  @Post(':id/reject')
  @Endpoint({
    permission,
    errors,
    operation: 'reject_org_booking',
    summary: 'Reject a pending booking',
    returns,
    openWorld: true,
  })
  async reject(@Ctx() ctx: Ctx, @Id() id: string, @Body() { reason = null }: EndBookingDto): Promise<BookingDto> {
    return BookingDto.from(await this.changes.reject(ctx, id, reason));
  }

  @Post(':id/cancel')
  @Endpoint({
    permission,
    errors,
    operation: 'cancel_org_booking',
    summary: 'Cancel a booking',
    returns,
    openWorld: true,
  })
  async cancel(@Ctx() ctx: Ctx, @Id() id: string, @Body() { reason = null }: EndBookingDto): Promise<BookingDto> {
    return BookingDto.from(await this.changes.cancel(ctx, id, reason, 'host'));
  }

  @Post(':id/no-show')
  @Endpoint({
    permission,
    errors,
    operation: 'mark_org_booking_no_show',
    summary: 'Mark a booking as a no-show',
    returns,
  })
  async noShow(@Ctx() ctx: Ctx, @Id() id: string): Promise<BookingDto> {
    return BookingDto.from(await this.changes.noShow(ctx, id));
  }

  @Post(':id/reschedule')
  @Endpoint({
    permission,
    errors: [...errors, ScheduleErrors.resourceConflict, ScheduleErrors.scheduleConflict, CommonErrors.rateLimited],
    operation: 'reschedule_org_booking',
    summary: 'Move a booking to another time',
    description: 'Opening hours and the minimum notice do not apply to hosts; the time must be free.',
    returns,
    openWorld: true,
  })
  async reschedule(@Ctx() ctx: Ctx, @Id() id: string, @Body() { start_at, resource_id }: RescheduleBookingDto): Promise<BookingDto> {
    const chosen = (_: unknown, booking: { resource_id: string | null }) => Promise.resolve(resource_id ?? booking.resource_id);
    const moved = await this.changes.reschedule(ctx, id, requireSchedulable('start_at', new Date(start_at)), 'host', chosen, resource_id);
    return BookingDto.from(moved);
  }
}
