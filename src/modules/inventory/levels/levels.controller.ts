import { Controller, Get, Query } from '@nestjs/common';
import { Ctx, Endpoint, listBody, sql, Store, table, type ListBody } from '../../../kit/index.js';
import { StockLotLevel } from '../model/lot-level.entity.js';
import { StockLot } from '../model/lot.entity.js';
import { StockLevel } from '../model/stock-level.entity.js';
import { StockLevelDto } from '../resources/stock-level.dto.js';
import { StockLevelsQuery, StockLotDto, StockLotsQuery } from './levels.dto.js';

const ACCESS = { scope: 'inventory:stock:read', member: { permission: 'inventory.stock.view' } };

@Controller('/api/v1/ext/inventory')
export class LevelsController {
  constructor(private readonly store: Store) {}

  @Get('stock-levels')
  @Endpoint({
    ...ACCESS,
    operation: 'list_stock_levels',
    summary: 'List the stock of items by location',
    description: 'Poll with updated_after and sort=updated_at to follow changes.',
    returns: StockLevelDto,
    list: true,
  })
  async levels(@Ctx() ctx: Ctx, @Query() query: StockLevelsQuery): Promise<ListBody<StockLevelDto>> {
    return listBody(await this.store.page(ctx, StockLevel, query), StockLevelDto.from);
  }

  @Get('lots')
  @Endpoint({
    ...ACCESS,
    operation: 'list_stock_lots',
    summary: 'List lots and serial numbers',
    returns: StockLotDto,
    list: true,
  })
  async lots(@Ctx() ctx: Ctx, @Query() query: StockLotsQuery): Promise<ListBody<StockLotDto>> {
    const conditions = !query.location_id
      ? []
      : [
          sql`EXISTS (SELECT FROM ${table(StockLotLevel)} q
            WHERE q.lot_id = t.id AND q.location_id = ANY(${query.location_id}) AND q.quantity > 0)`,
        ];
    const page = await this.store.page(ctx, StockLot, query, ...conditions);
    const lotIds = page.data.map(({ id }) => id);
    const there = sql`t.quantity > 0`;
    const levels = lotIds.length === 0 ? [] : await this.store.list(ctx, StockLotLevel, { lot_id: lotIds }, there);
    return listBody(page, (lot) =>
      StockLotDto.from(
        lot,
        levels.filter(({ lot_id }) => lot_id === lot.id),
      ),
    );
  }
}
