import { Body, Controller, Delete, Get, Patch, Post, Query, Res } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id, listBody, type ListBody } from '../../../kit/index.js';
import { CalendarViews } from './calendar-views.js';
import { CalendarDto, CalendarsQuery, CreateCalendarDto, MyCalendarDto, UpdateCalendarDto } from './calendars.dto.js';
import { CalendarsService } from './calendars.service.js';

const permission = 'schedule.setup.manage';

@Controller('/api/v1/org/schedule')
export class OrgCalendarsController {
  constructor(
    private readonly calendars: CalendarsService,
    private readonly views: CalendarViews,
  ) {}

  @Get('calendars')
  @Endpoint({
    permission: [permission, 'schedule.event.view'],
    operation: 'list_org_calendars',
    summary: 'List calendars',
    description:
      'A private calendar is listed only for its owner; once the owner was deactivated, for members with the permission ' +
      'schedule.setup.manage.',
    returns: CalendarDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: CalendarsQuery): Promise<ListBody<CalendarDto>> {
    const page = await this.calendars.page(ctx, query);
    return listBody(page, await this.views.mapper(ctx, page.data));
  }

  @Get('calendars/:id')
  @Endpoint({
    permission: [permission, 'schedule.event.view'],
    operation: 'get_org_calendar',
    summary: 'Get one calendar',
    returns: CalendarDto,
  })
  async get(@Ctx() ctx: Ctx, @Id() id: string): Promise<CalendarDto> {
    return this.views.of(ctx, await this.calendars.get(ctx, id));
  }

  @Post('calendars')
  @Endpoint({
    permission,
    operation: 'create_org_calendar',
    summary: 'Create a calendar',
    description: 'It is active, and open from Monday to Friday, 09:00 to 17:00, until its availability is changed.',
    returns: CalendarDto,
    status: 201,
    errors: [CommonErrors.duplicate, CommonErrors.resourceConflict],
  })
  async create(@Ctx() ctx: Ctx, @Body() body: CreateCalendarDto): Promise<CalendarDto> {
    return this.views.of(ctx, await this.calendars.create(ctx, body));
  }

  @Patch('calendars/:id')
  @Endpoint({
    permission: [permission, 'schedule.event.manage'],
    operation: 'update_org_calendar',
    summary: 'Change a calendar',
    description:
      'With the permission schedule.event.manage alone you can change name, color and time zone of your own private calendar. The ' +
      'owner of a personal calendar can be changed once they were deactivated; it becomes an ordinary calendar then.',
    returns: CalendarDto,
    errors: [CommonErrors.duplicate, CommonErrors.permissionDenied, CommonErrors.resourceConflict],
  })
  async update(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateCalendarDto): Promise<CalendarDto> {
    return this.views.of(ctx, await this.calendars.update(ctx, id, body));
  }

  @Post('calendars/:id/activate')
  @Endpoint({
    permission,
    ifMatch: true,
    operation: 'activate_org_calendar',
    summary: 'Activate a calendar',
    returns: CalendarDto,
  })
  async activate(@Ctx() ctx: Ctx, @Id() id: string): Promise<CalendarDto> {
    return this.views.of(ctx, await this.calendars.setStatus(ctx, id, 'active'));
  }

  @Post('calendars/:id/deactivate')
  @Endpoint({
    permission,
    ifMatch: true,
    operation: 'deactivate_org_calendar',
    summary: 'Deactivate a calendar',
    description: 'Its events stay, but none can be created or changed, and its booking pages close.',
    returns: CalendarDto,
  })
  async deactivate(@Ctx() ctx: Ctx, @Id() id: string): Promise<CalendarDto> {
    return this.views.of(ctx, await this.calendars.setStatus(ctx, id, 'inactive'));
  }

  @Delete('calendars/:id')
  @Endpoint({
    permission,
    operation: 'delete_org_calendar',
    summary: 'Delete an unused calendar',
    description: 'Only one without events, bookings, resources and booking pages; deactivate others.',
    returns: null,
    errors: [CommonErrors.resourceConflict],
  })
  delete(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    return this.calendars.delete(ctx, id);
  }

  @Post('my-calendar')
  @Endpoint({
    permission: 'schedule.event.manage',
    operation: 'create_org_my_calendar',
    summary: 'Create your own calendar',
    description: 'Each member has one in a project; if it exists, it is returned. Its events keep you busy in all calendars.',
    returns: CalendarDto,
    status: 201,
    alsoReturns: { 200: 'It existed already.' },
  })
  async createMine(
    @Ctx() ctx: Ctx,
    @Body() body: MyCalendarDto,
    @Res({ passthrough: true }) reply: { status(code: number): unknown },
  ): Promise<CalendarDto> {
    const { calendar, isNew } = await this.calendars.mine(ctx, body);
    if (!isNew) reply.status(200);
    return this.views.of(ctx, calendar);
  }
}
