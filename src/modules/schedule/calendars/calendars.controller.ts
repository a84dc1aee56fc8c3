import { Controller, Get, Query } from '@nestjs/common';
import { Ctx, Endpoint, listBody, type ListBody } from '../../../kit/index.js';
import { CalendarViews } from './calendar-views.js';
import { CalendarDto, CalendarsQuery } from './calendars.dto.js';
import { CalendarsService } from './calendars.service.js';

@Controller('/api/v1/ext/schedule/calendars')
export class CalendarsController {
  constructor(
    private readonly calendars: CalendarsService,
    private readonly views: CalendarViews,
  ) {}

  @Get()
  @Endpoint({
    scope: 'schedule:calendar:read',
    operation: 'list_calendars',
    summary: 'List calendars',
    description: 'A private calendar is listed only for a key that is bound to its owner.',
    returns: CalendarDto,
    list: true,
    lookup: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: CalendarsQuery): Promise<ListBody<CalendarDto>> {
    const page = await this.calendars.page(ctx, query);
    return listBody(page, await this.views.mapper(ctx, page.data));
  }
}
