import { Controller, Get, Query } from '@nestjs/common';
import { Ctx, Endpoint, Id, listBody, type ListBody } from '../../../kit/index.js';
import { Bookings } from './bookings.service.js';
import { BookingDto, BookingsQuery } from './dto/bookings.dto.js';

const scope = 'schedule:booking:read';

@Controller('/api/v1/ext/schedule/bookings')
export class BookingsController {
  constructor(private readonly bookings: Bookings) {}

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
    return listBody(await this.bookings.page(ctx, query), BookingDto.from);
  }

  @Get(':id')
  @Endpoint({
    scope,
    operation: 'get_booking',
    summary: 'Get one booking',
    returns: BookingDto,
  })
  async get(@Ctx() ctx: Ctx, @Id() id: string): Promise<BookingDto> {
    return BookingDto.from(await this.bookings.get(ctx, id));
  }
}
