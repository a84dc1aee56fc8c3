import { Body, Controller, Get, Patch, Post, Query } from '@nestjs/common';
import { Ctx, Endpoint, Id, listBody, type ListBody } from '../../../kit/index.js';
import { DealNames } from './deal-names.service.js';
import { CreateDealDto, DealsQuery, UpdateDealDto } from './deal-requests.dto.js';
import { DealDto } from './deal.dto.js';
import { DealsService } from './deals.service.js';
import { DealEvents } from './deals.events.js';

@Controller('/api/v1/ext/crm/deals')
export class DealsController {
  constructor(
    private readonly deals: DealsService,
    private readonly names: DealNames,
  ) {}

  @Get()
  @Endpoint({
    scope: 'crm:deal:read',
    member: { permission: 'crm.deal.view' },
    operation: 'list_deals',
    summary: 'List deals',
    returns: DealDto,
    list: true,
    description:
      'Filters are combined with AND; several values of one filter, separated by commas, with OR. ' +
      'A key bound to a project sees only that project.',
  })
  async list(@Ctx() ctx: Ctx, @Query() query: DealsQuery): Promise<ListBody<DealDto>> {
    const page = await this.deals.page(ctx, query);
    return listBody(page, await this.names.mapper(ctx, page.data));
  }

  @Get(':id')
  @Endpoint({
    scope: 'crm:deal:read',
    member: { permission: 'crm.deal.view' },
    operation: 'get_deal',
    summary: 'Get one deal',
    returns: DealDto,
  })
  async get(@Ctx() ctx: Ctx, @Id() id: string): Promise<DealDto> {
    return this.names.one(ctx, await this.deals.get(ctx, id));
  }

  @Post()
  @Endpoint({
    scope: 'crm:deal:write',
    member: { permission: 'crm.deal.manage' },
    operation: 'create_deal',
    summary: 'Create a deal',
    description: 'Without stage_id and status, the deal starts in the first stage of the pipeline.',
    returns: DealDto,
    status: 201,
    emits: [DealEvents.dealCreated, DealEvents.dealWon],
  })
  async create(@Ctx() ctx: Ctx, @Body() body: CreateDealDto): Promise<DealDto> {
    return this.names.one(ctx, await this.deals.create(ctx, body));
  }

  @Patch(':id')
  @Endpoint({
    scope: 'crm:deal:write',
    member: { permission: 'crm.deal.manage' },
    operation: 'update_deal',
    summary: 'Change a deal',
    description:
      'Send only the fields to change; custom_fields are merged. To win or lose the deal, send a stage, or status won or lost. ' +
      'That sets closed_at; reopening the deal clears it.',
    returns: DealDto,
    emits: [DealEvents.dealUpdated, DealEvents.dealStageChanged, DealEvents.dealWon],
  })
  async update(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateDealDto): Promise<DealDto> {
    return this.names.one(ctx, await this.deals.update(ctx, id, body));
  }
}
