import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { Ctx, Endpoint, Id, listBody, type ListBody } from '../../../kit/index.js';
import { InventoryErrors } from '../model/inventory.errors.js';
import { CreateStockReservationDto, StockReservationDto } from '../resources/reservation.dto.js';
import { StockReservationsQuery } from './reservations.dto.js';
import { ReservationsService } from './reservations.service.js';
import { InventoryEvents } from '../resources/inventory.events.js';

const WRITE = { scope: 'inventory:stock:write', member: { permission: 'inventory.stock.manage' } };

@Controller('/api/v1/ext/inventory/reservations')
export class ReservationsController {
  constructor(private readonly reservations: ReservationsService) {}

  @Get()
  @Endpoint({
    scope: 'inventory:stock:read',
    member: { permission: 'inventory.stock.view' },
    operation: 'list_stock_reservations',
    summary: 'List reservations of stock',
    returns: StockReservationDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: StockReservationsQuery): Promise<ListBody<StockReservationDto>> {
    return listBody(await this.reservations.page(ctx, query), StockReservationDto.from);
  }

  @Post()
  @Endpoint({
    ...WRITE,
    operation: 'create_stock_reservation',
    summary: 'Reserve stock',
    description: 'On insufficient_stock, details shows what is available. Issue it with record_stock_movement and reservation_id.',
    returns: StockReservationDto,
    status: 201,
    errors: [InventoryErrors.insufficientStock],
    emits: [InventoryEvents.reservationCreated, InventoryEvents.stockLow, InventoryEvents.reorderDue],
  })
  async create(@Ctx() ctx: Ctx, @Body() body: CreateStockReservationDto): Promise<StockReservationDto> {
    return StockReservationDto.from(await this.reservations.create(ctx, body));
  }

  @Delete(':id')
  @Endpoint({
    ...WRITE,
    operation: 'release_stock_reservation',
    summary: 'Release the remaining quantity of a reservation',
    description: 'It stays in the list with the status released; one that has ended is not found.',
    returns: null,
    emits: [InventoryEvents.reservationEnded],
  })
  release(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    return this.reservations.release(ctx, id);
  }
}
