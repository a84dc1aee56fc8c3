import { Controller, Get, Query } from '@nestjs/common';
import { Ctx, Endpoint, listBody, Projects, Store, type ListBody } from '../../../kit/index.js';
import { StockLocation } from '../model/location.entity.js';
import { StockReason } from '../model/reason.entity.js';
import { StockLocationDto, StockLocationsQuery, StockReasonDto, StockReasonsQuery } from './lookups.dto.js';

const SCOPE = 'inventory:config:read';
const MEMBER = { permission: ['inventory.stock.view', 'inventory.setup.manage'] };

@Controller('/api/v1/ext/inventory')
export class InventoryLookupsController {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
  ) {}

  @Get('locations')
  @Endpoint({
    scope: SCOPE,
    member: MEMBER,
    operation: 'list_stock_locations',
    summary: 'List the locations of stock',
    returns: StockLocationDto,
    list: true,
    lookup: true,
  })
  async locations(@Ctx() ctx: Ctx, @Query() query: StockLocationsQuery): Promise<ListBody<StockLocationDto>> {
    const page = await this.store.page(ctx, StockLocation, query, await this.within(ctx, query.project_id));
    return listBody(page, StockLocationDto.from);
  }

  @Get('reasons')
  @Endpoint({
    scope: SCOPE,
    member: MEMBER,
    operation: 'list_stock_reasons',
    summary: 'List the reasons of stock movements',
    returns: StockReasonDto,
    list: true,
    lookup: true,
  })
  async reasons(@Ctx() ctx: Ctx, @Query() query: StockReasonsQuery): Promise<ListBody<StockReasonDto>> {
    const page = await this.store.page(ctx, StockReason, query, await this.within(ctx, query.project_id));
    return listBody(page, StockReasonDto.from);
  }

  private async within(ctx: Ctx, projectId: string | undefined): Promise<{ project_id?: string }> {
    const project = await this.projects.reach(ctx, projectId);
    return { project_id: project?.id };
  }
}
