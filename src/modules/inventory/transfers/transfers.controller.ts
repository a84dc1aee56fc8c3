import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { Ctx, Endpoint, Id, listBody, type ListBody } from '../../../kit/index.js';
import { InventoryErrors } from '../model/inventory.errors.js';
import { ReceiveStockTransferDto, StockTransferDto, TransferStockDto } from '../resources/transfer.dto.js';
import { TransferReader } from './transfer-reader.js';
import { StockTransfersQuery } from './transfers.dto.js';
import { TransfersService } from './transfers.service.js';
import { InventoryEvents } from '../resources/inventory.events.js';
import { TRANSFER_NUMBER } from '../model/transfer-number.js';

const READ = { scope: 'inventory:stock:read', member: { permission: 'inventory.stock.view' } };
const WRITE = { scope: 'inventory:stock:write', member: { permission: 'inventory.stock.manage' } };

@Controller('/api/v1/ext/inventory/transfers')
export class TransfersController {
  constructor(
    private readonly reader: TransferReader,
    private readonly transfers: TransfersService,
  ) {}

  @Get()
  @Endpoint({
    ...READ,
    operation: 'list_stock_transfers',
    summary: 'List transfers between locations',
    returns: StockTransferDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: StockTransfersQuery): Promise<ListBody<StockTransferDto>> {
    const { page, map } = await this.reader.page(ctx, query);
    return listBody(page, map);
  }

  @Get(':id')
  @Endpoint({
    ...READ,
    operation: 'get_stock_transfer',
    summary: 'Get one transfer between locations',
    returns: StockTransferDto,
  })
  get(@Ctx() ctx: Ctx, @Id(TRANSFER_NUMBER) id: string): Promise<StockTransferDto> {
    return this.reader.get(ctx, id);
  }

  @Post()
  @Endpoint({
    ...WRITE,
    operation: 'transfer_stock',
    summary: 'Transfer stock to another location',
    description: 'All lines or none. Stock in transit is in neither location.',
    returns: StockTransferDto,
    status: 201,
    errors: [InventoryErrors.insufficientStock, InventoryErrors.stockReserved],
    emits: [
      InventoryEvents.stockMoved,
      InventoryEvents.reservationEnded,
      InventoryEvents.stockLow,
      InventoryEvents.reorderDue,
      InventoryEvents.transferStatusChanged,
    ],
  })
  transfer(@Ctx() ctx: Ctx, @Body() body: TransferStockDto): Promise<StockTransferDto> {
    return this.transfers.transfer(ctx, body);
  }

  @Post(':id/receive')
  @Endpoint({
    ...WRITE,
    operation: 'receive_stock_transfer',
    summary: 'Receive a transfer, or a part of it',
    description: 'What is lost is written off at its cost. The rest stays in transit.',
    returns: StockTransferDto,
    ifMatch: true,
    errors: [InventoryErrors.invalidTransition],
    emits: [
      InventoryEvents.stockMoved,
      InventoryEvents.reservationEnded,
      InventoryEvents.stockLow,
      InventoryEvents.reorderDue,
      InventoryEvents.transferStatusChanged,
    ],
  })
  receive(@Ctx() ctx: Ctx, @Id(TRANSFER_NUMBER) id: string, @Body() body: ReceiveStockTransferDto): Promise<StockTransferDto> {
    return this.transfers.receive(ctx, id, body);
  }

  @Post(':id/cancel')
  @Endpoint({
    ...WRITE,
    operation: 'cancel_stock_transfer',
    summary: 'Cancel a transfer before anything has arrived',
    description: 'The stock returns to where it was.',
    returns: StockTransferDto,
    ifMatch: true,
    destructive: true,
    errors: [InventoryErrors.invalidTransition],
    emits: [
      InventoryEvents.stockMoved,
      InventoryEvents.reservationEnded,
      InventoryEvents.stockLow,
      InventoryEvents.reorderDue,
      InventoryEvents.transferStatusChanged,
    ],
  })
  cancel(@Ctx() ctx: Ctx, @Id(TRANSFER_NUMBER) id: string): Promise<StockTransferDto> {
    return this.transfers.cancel(ctx, id);
  }
}
