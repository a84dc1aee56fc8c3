import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, listBody, sql, Store, type ListBody } from '../../../kit/index.js';
import { InventoryErrors } from '../model/inventory.errors.js';
import { StockMovement } from '../model/movement.entity.js';
import { RecordStockMovementDto, StockMovementDto } from '../resources/movement.dto.js';
import { BatchStockMovementsDto, StockMovementBatchDto, StockMovementsQuery } from './movements.dto.js';
import { MovementsService } from './movements.service.js';
import { InventoryEvents } from '../resources/inventory.events.js';

const WRITE = { scope: 'inventory:stock:write', member: { permission: 'inventory.stock.manage' } };
const ERRORS = [
  CommonErrors.duplicate,
  InventoryErrors.insufficientStock,
  InventoryErrors.stockReserved,
  InventoryErrors.stockChanged,
  InventoryErrors.serialInStock,
];

@Controller('/api/v1/ext/inventory/movements')
export class MovementsController {
  constructor(
    private readonly store: Store,
    private readonly movements: MovementsService,
  ) {}

  @Get()
  @Endpoint({
    scope: 'inventory:stock:read',
    member: { permission: 'inventory.stock.view' },
    operation: 'list_stock_movements',
    summary: 'List stock movements',
    description: 'In the order of recording, the newest first.',
    returns: StockMovementDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: StockMovementsQuery): Promise<ListBody<StockMovementDto>> {
    const used = query.lot_id ? [sql`t.lot_ids <> '{}'`] : [];
    return listBody(await this.store.page(ctx, StockMovement, query, ...used), StockMovementDto.from);
  }

  @Post()
  @Endpoint({
    ...WRITE,
    operation: 'record_stock_movement',
    summary: 'Record a receipt, an issue, a count or an adjustment',
    description: 'Movements are never changed: correct one with another. Move stock between locations with transfer_stock.',
    returns: StockMovementDto,
    status: 201,
    destructive: true,
    errors: ERRORS,
    emits: [InventoryEvents.stockMoved, InventoryEvents.reservationEnded, InventoryEvents.stockLow, InventoryEvents.reorderDue],
  })
  async record(@Ctx() ctx: Ctx, @Body() body: RecordStockMovementDto): Promise<StockMovementDto> {
    return StockMovementDto.from(await this.movements.record(ctx, body));
  }

  @Post('batch')
  @Endpoint({
    ...WRITE,
    operation: 'batch_stock_movements',
    summary: 'Record up to 100 stock movements',
    description: 'One result per movement. With atomic, lines are summed per item and location before stock is compared.',
    returns: StockMovementBatchDto,
    destructive: true,
    errors: ERRORS,
    emits: [InventoryEvents.stockMoved, InventoryEvents.reservationEnded, InventoryEvents.stockLow, InventoryEvents.reorderDue],
  })
  async batch(@Ctx() ctx: Ctx, @Body() body: BatchStockMovementsDto): Promise<StockMovementBatchDto> {
    return StockMovementBatchDto.from(await this.movements.batch(ctx, body));
  }
}
