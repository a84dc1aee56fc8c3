import { Controller, Get, Query } from '@nestjs/common';
import { Ctx, Endpoint, Id, listBody, type ListBody } from '../../../kit/index.js';
import { CalendarResourceDto, CalendarResourcesQuery } from './resources.dto.js';
import { ResourcesService } from './resources.service.js';

@Controller('/api/v1/ext/schedule/calendars/:id/resources')
export class ResourcesController {
  constructor(private readonly resources: ResourcesService) {}

  @Get()
  @Endpoint({
    scope: 'schedule:config:read',
    operation: 'list_calendar_resources',
    summary: 'List the resources of a calendar',
    description: 'Send their ids as resource_ids of events, in any calendar of the project.',
    returns: CalendarResourceDto,
    list: true,
    lookup: true,
  })
  async list(
    @Ctx() ctx: Ctx,
    @Id('id', 'Id of the calendar.') id: string,
    @Query() query: CalendarResourcesQuery,
  ): Promise<ListBody<CalendarResourceDto>> {
    return listBody(await this.resources.page(ctx, id, query), CalendarResourceDto.from);
  }
}
