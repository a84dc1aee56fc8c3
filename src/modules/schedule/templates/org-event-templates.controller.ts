import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id, listBody, type ListBody } from '../../../kit/index.js';
import { CreateEventTemplateDto, EventTemplateDto, EventTemplatesQuery, UpdateEventTemplateDto } from './event-templates.dto.js';
import { EventTemplatesService } from './event-templates.service.js';

const permission = 'schedule.setup.manage';
const read = [permission, 'schedule.event.view'];

@Controller('/api/v1/org/schedule/event-templates')
export class OrgEventTemplatesController {
  constructor(private readonly templates: EventTemplatesService) {}

  @Get()
  @Endpoint({
    permission: read,
    operation: 'list_org_event_templates',
    summary: 'List event templates',
    returns: EventTemplateDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: EventTemplatesQuery): Promise<ListBody<EventTemplateDto>> {
    const page = await this.templates.page(ctx, query);
    return listBody(page, await this.templates.mapper(ctx, page.data));
  }

  @Get(':id')
  @Endpoint({
    permission: read,
    operation: 'get_org_event_template',
    summary: 'Get one event template',
    returns: EventTemplateDto,
  })
  async get(@Ctx() ctx: Ctx, @Id() id: string): Promise<EventTemplateDto> {
    return this.templates.of(ctx, await this.templates.get(ctx, id));
  }

  @Post()
  @Endpoint({
    permission,
    operation: 'create_org_event_template',
    summary: 'Create an event template',
    returns: EventTemplateDto,
    status: 201,
    errors: [CommonErrors.duplicate, CommonErrors.resourceConflict],
  })
  async create(@Ctx() ctx: Ctx, @Body() body: CreateEventTemplateDto): Promise<EventTemplateDto> {
    return this.templates.of(ctx, await this.templates.create(ctx, body));
  }

  @Patch(':id')
  @Endpoint({
    permission,
    operation: 'update_org_event_template',
    summary: 'Change an event template',
    description: 'Existing events keep what they have; their next change is checked against the new rules.',
    returns: EventTemplateDto,
    errors: [CommonErrors.duplicate],
  })
  async update(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateEventTemplateDto): Promise<EventTemplateDto> {
    return this.templates.of(ctx, await this.templates.update(ctx, id, body));
  }

  @Delete(':id')
  @Endpoint({
    permission,
    operation: 'delete_org_event_template',
    summary: 'Delete an unused event template',
    returns: null,
    errors: [CommonErrors.resourceConflict],
  })
  delete(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    return this.templates.delete(ctx, id);
  }
}
