import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id, type ListBody } from '../../../kit/index.js';
import { BookingPageDto, BookingPagesQuery, CreateBookingPageDto, UpdateBookingPageDto } from './booking-pages.dto.js';
import { BookingPages } from './booking-pages.service.js';

/** Without the first, only for the member's own private calendar. */
const permission = ['schedule.setup.manage', 'schedule.event.manage'];

@Controller('/api/v1/org/schedule/booking-pages')
export class OrgBookingPagesController {
  constructor(private readonly pages: BookingPages) {}

  @Get()
  @Endpoint({
    permission,
    operation: 'list_org_booking_pages',
    summary: 'List booking pages',
    returns: BookingPageDto,
    list: true,
  })
  list(@Ctx() ctx: Ctx, @Query() query: BookingPagesQuery): Promise<ListBody<BookingPageDto>> {
    return this.pages.page(ctx, query);
  }

  @Get(':id')
  @Endpoint({
    permission,
    errors: [CommonErrors.permissionDenied],
    operation: 'get_org_booking_page',
    summary: 'Get one booking page',
    returns: BookingPageDto,
  })
  async get(@Ctx() ctx: Ctx, @Id() id: string): Promise<BookingPageDto> {
    return this.pages.dto(await this.pages.get(ctx, id));
  }

  @Post()
  @Endpoint({
    permission,
    operation: 'create_org_booking_page',
    summary: 'Create a booking page',
    description:
      'Anyone with its address can book. Each booking emits booking.created. With the permission schedule.event.manage alone you ' +
      'can create pages of your own private calendar only.',
    returns: BookingPageDto,
    status: 201,
    errors: [CommonErrors.duplicate, CommonErrors.permissionDenied],
  })
  async create(@Ctx() ctx: Ctx, @Body() body: CreateBookingPageDto): Promise<BookingPageDto> {
    return this.pages.dto(await this.pages.create(ctx, body));
  }

  @Patch(':id')
  @Endpoint({
    permission,
    operation: 'update_org_booking_page',
    summary: 'Change a booking page',
    returns: BookingPageDto,
    errors: [CommonErrors.duplicate, CommonErrors.permissionDenied, CommonErrors.resourceConflict],
  })
  async update(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateBookingPageDto): Promise<BookingPageDto> {
    return this.pages.dto(await this.pages.update(ctx, id, body));
  }

  @Delete(':id')
  @Endpoint({
    permission,
    operation: 'delete_org_booking_page',
    summary: 'Delete a booking page',
    description: 'Only a page without bookings; close others with enabled: false.',
    errors: [CommonErrors.permissionDenied],
    returns: null,
  })
  delete(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    return this.pages.delete(ctx, id);
  }
}
