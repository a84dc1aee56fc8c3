import { Controller, Get, Query } from '@nestjs/common';
import { Ctx, Endpoint, Id, type ListBody } from '../../../kit/index.js';
import { ScheduleNames } from '../event-views/schedule-names.service.js';
import { Bookings } from './bookings.service.js';
import { BookingDto, BookingsQuery } from './dto/bookings.dto.js';

const scope = 'schedule:booking:read';

@Controller('/api/v1/ext/schedule/bookings')
export class BookingsController {
  constructor(
    private readonly bookings: Bookings,
    private readonly names: ScheduleNames,
  ) {}

  @Get()
  @Endpoint({
    scope,
    operation: 'list_bookings',
    summary: 'List bookings',
    description: 'Times that members of the public booked through booking pages. What guests change later is found by updated_after.',
    returns: BookingDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: BookingsQuery): Promise<ListBody<BookingDto>> {
    const page = await this.bookings.page(ctx, query);
    return { object: 'list', ...page, data: await this.names.ofBookings(ctx, page.data.map(BookingDto.from)) };
  }

  @Get(':id')
  @Endpoint({
    scope,
    operation: 'get_booking',
    summary: 'Get one booking',
    returns: BookingDto,
  })
  async get(@Ctx() ctx: Ctx, @Id() id: string): Promise<BookingDto> {
    const [named] = await this.names.ofBookings(ctx, [BookingDto.from(await this.bookings.get(ctx, id))]);
    return named;
  }
}
