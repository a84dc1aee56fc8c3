import { Controller, Get, Query } from '@nestjs/common';
import { Ctx, Endpoint, Id } from '../../../kit/index.js';
import { AvailabilityQuery, CalendarAvailabilityDto } from './availability.dto.js';
import { CalendarAvailability } from './calendar-availability.service.js';

@Controller('/api/v1/ext/schedule/calendars/:id/availability')
export class AvailabilityController {
  constructor(private readonly availability: CalendarAvailability) {}

  @Get()
  @Endpoint({
    scope: 'schedule:config:read',
    operation: 'get_calendar_availability',
    summary: 'Get the free times of a calendar',
    description: 'Slots are free of events, pending bookings and buffers, for the calendar or for one of its resources.',
    returns: CalendarAvailabilityDto,
  })
  get(@Ctx() ctx: Ctx, @Id('id', 'Id of the calendar.') id: string, @Query() query: AvailabilityQuery): Promise<CalendarAvailabilityDto> {
    return this.availability.get(ctx, id, query);
  }
}
