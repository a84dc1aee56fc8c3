import { Controller, Get, Query } from '@nestjs/common';
import { Ctx, Endpoint, listBody, type ListBody } from '../../../kit/index.js';
import { EventTemplateDto, EventTemplatesQuery } from './event-templates.dto.js';
import { EventTemplatesService } from './event-templates.service.js';

@Controller('/api/v1/ext/schedule/event-templates')
export class EventTemplatesController {
  constructor(private readonly templates: EventTemplatesService) {}

  @Get()
  @Endpoint({
    scope: 'schedule:config:read',
    operation: 'list_event_templates',
    summary: 'List event templates',
    description: "Read a calendar's template before you create events in it: it says which fields and metadata they have.",
    returns: EventTemplateDto,
    list: true,
    lookup: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: EventTemplatesQuery): Promise<ListBody<EventTemplateDto>> {
    const page = await this.templates.page(ctx, query);
    return listBody(page, await this.templates.mapper(ctx, page.data));
  }
}
