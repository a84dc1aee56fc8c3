import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id, listBody, type ListBody } from '../../../kit/index.js';
import { CalendarResourceDto, CalendarResourcesQuery, CreateCalendarResourceDto, UpdateCalendarResourceDto } from './resources.dto.js';
import { ResourcesService } from './resources.service.js';

const permission = 'schedule.setup.manage';

@Controller('/api/v1/org/schedule/calendars/:id/resources')
export class OrgResourcesController {
  constructor(private readonly resources: ResourcesService) {}

  @Get()
  @Endpoint({
    permission: [permission, 'schedule.event.view'],
    operation: 'list_org_calendar_resources',
    summary: 'List the resources of a calendar',
    returns: CalendarResourceDto,
    list: true,
  })
  async list(
    @Ctx() ctx: Ctx,
    @Id('id', 'Id of the calendar.') calendarId: string,
    @Query() query: CalendarResourcesQuery,
  ): Promise<ListBody<CalendarResourceDto>> {
    return listBody(await this.resources.page(ctx, calendarId, query), CalendarResourceDto.from);
  }

  @Post()
  @Endpoint({
    permission,
    operation: 'create_org_calendar_resource',
    summary: 'Add a resource to a calendar',
    returns: CalendarResourceDto,
    status: 201,
    errors: [CommonErrors.duplicate, CommonErrors.resourceConflict],
  })
  async create(
    @Ctx() ctx: Ctx,
    @Id('id', 'Id of the calendar.') calendarId: string,
    @Body() body: CreateCalendarResourceDto,
  ): Promise<CalendarResourceDto> {
    return CalendarResourceDto.from(await this.resources.create(ctx, calendarId, body));
  }

  @Patch(':resourceId')
  @Endpoint({
    permission,
    operation: 'update_org_calendar_resource',
    summary: 'Change a resource',
    description: 'The capacity cannot become lower than the number of simultaneous uses at any future time.',
    returns: CalendarResourceDto,
    errors: [CommonErrors.duplicate, CommonErrors.resourceConflict],
  })
  async update(
    @Ctx() ctx: Ctx,
    @Id('id', 'Id of the calendar.') calendarId: string,
    @Id('resourceId', 'Id of the resource.') id: string,
    @Body() body: UpdateCalendarResourceDto,
  ): Promise<CalendarResourceDto> {
    return CalendarResourceDto.from(await this.resources.update(ctx, calendarId, id, body));
  }

  @Delete(':resourceId')
  @Endpoint({
    permission,
    operation: 'delete_org_calendar_resource',
    summary: 'Delete an unused resource',
    description: 'Only one that no event uses; deactivate others with active: false.',
    returns: null,
    errors: [CommonErrors.resourceConflict],
  })
  delete(
    @Ctx() ctx: Ctx,
    @Id('id', 'Id of the calendar.') calendarId: string,
    @Id('resourceId', 'Id of the resource.') id: string,
  ): Promise<void> {
    return this.resources.delete(ctx, calendarId, id);
  }
}
