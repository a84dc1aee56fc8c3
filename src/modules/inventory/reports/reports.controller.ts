import { Controller, Get, Query } from '@nestjs/common';
import { Ctx, Endpoint, listBody, sql, Store, type ListBody } from '../../../kit/index.js';
import { StockDifference } from '../model/difference.entity.js';
import { StockDifferenceDto, StockDifferencesQuery } from './differences.dto.js';
import { StockValuationDto, StockValuationQuery } from './valuation.dto.js';
import { Valuation } from './valuation.service.js';

@Controller('/api/v1/ext/inventory/reports')
export class ValuationController {
  constructor(private readonly valuation: Valuation) {}

  @Get('valuation')
  @Endpoint({
    scope: 'inventory:stock:read',
    member: { permission: 'inventory.stock.view' },
    operation: 'get_stock_valuation',
    summary: 'Get the value of the stock of a project',
    description: 'as_of refers to the time of recording, so the result for a past time never changes.',
    returns: StockValuationDto,
  })
  get(@Ctx() ctx: Ctx, @Query() query: StockValuationQuery): Promise<StockValuationDto> {
    return this.valuation.of(ctx, query);
  }
}

@Controller('/api/v1/org/inventory/differences')
export class OrgDifferencesController {
  constructor(private readonly store: Store) {}

  @Get()
  @Endpoint({
    permission: 'inventory.setup.manage',
    operation: 'list_org_stock_differences',
    summary: 'List differences that the nightly comparison found',
    description: 'Between stored figures and what movements and reservations add up to. They are never repaired silently.',
    returns: StockDifferenceDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: StockDifferencesQuery): Promise<ListBody<StockDifferenceDto>> {
    const resolved = query.resolved ? sql`t.resolved_at IS NOT NULL` : sql`t.resolved_at IS NULL`;
    const conditions = query.resolved === undefined ? [] : [resolved];
    return listBody(await this.store.page(ctx, StockDifference, query, ...conditions), StockDifferenceDto.from);
  }
}
