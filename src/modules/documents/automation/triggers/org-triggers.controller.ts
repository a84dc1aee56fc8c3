import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { constantList, Ctx, Endpoint, Id, EventCatalog, listBody, type ListBody } from '../../../../kit/index.js';
import { eventRoot } from '../mapping/event-root.js';
import {
  CreateTriggerDto,
  GenerationEventTypeDto,
  GenerationEventTypesQuery,
  TriggerDto,
  TriggersQuery,
  UpdateTriggerDto,
} from './triggers.dto.js';
import { TriggersService } from './triggers.service.js';

const permission = 'papers.setup.manage';

@Controller('/api/v1/org/developer/triggers')
export class OrgTriggersController {
  constructor(
    private readonly triggers: TriggersService,
    private readonly events: EventCatalog,
  ) {}

  @Get()
  @Endpoint({
    permission,
    operation: 'list_org_triggers',
    summary: 'List generation triggers',
    returns: TriggerDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: TriggersQuery): Promise<ListBody<TriggerDto>> {
    return listBody(await this.triggers.page(ctx, query), TriggerDto.from);
  }

  @Get('event-types')
  @Endpoint({
    permission,
    operation: 'list_org_trigger_event_types',
    summary: 'List the events that triggers can listen to',
    returns: GenerationEventTypeDto,
    list: true,
    description:
      'All event types of the suite, also those that webhooks deliver. Triggers can also use any other type that you send with ' +
      'POST /generate. A document that a document event generated starts no trigger on document events.',
  })
  eventTypes(@Query() query: GenerationEventTypesQuery): ListBody<GenerationEventTypeDto> {
    return constantList(this.events.list(), query, ({ type, description, example }) => ({
      object: 'generation_event_type',
      type,
      description,
      payload: eventRoot(type, example as Record<string, unknown>),
    }));
  }

  @Get(':id')
  @Endpoint({
    permission,
    operation: 'get_org_trigger',
    summary: 'Get one generation trigger',
    returns: TriggerDto,
  })
  async get(@Ctx() ctx: Ctx, @Id() id: string): Promise<TriggerDto> {
    return TriggerDto.from(await this.triggers.get(ctx, id));
  }

  @Post()
  @Endpoint({
    permission,
    operation: 'create_org_trigger',
    summary: 'Create a generation trigger',
    description: 'Each event of the type creates one document, with the system as its actor.',
    returns: TriggerDto,
    status: 201,
  })
  async create(@Ctx() ctx: Ctx, @Body() body: CreateTriggerDto): Promise<TriggerDto> {
    return TriggerDto.from(await this.triggers.create(ctx, body));
  }

  @Patch(':id')
  @Endpoint({
    permission,
    operation: 'update_org_trigger',
    summary: 'Change a generation trigger',
    returns: TriggerDto,
  })
  async update(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateTriggerDto): Promise<TriggerDto> {
    return TriggerDto.from(await this.triggers.update(ctx, id, body));
  }

  @Delete(':id')
  @Endpoint({
    permission,
    operation: 'delete_org_trigger',
    summary: 'Delete a generation trigger',
    description: 'Keeps its documents and run records.',
    returns: null,
  })
  delete(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    return this.triggers.delete(ctx, id);
  }
}
