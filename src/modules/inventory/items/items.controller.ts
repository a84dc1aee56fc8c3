import { Body, Controller, Get, Patch, Post, Query } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id, listBody, type ListBody } from '../../../kit/index.js';
import { InventoryErrors } from '../model/inventory.errors.js';
import { CreateInventoryItemDto, InventoryItemDto, UpdateInventoryItemDto } from '../resources/item.dto.js';
import { InventoryItemsQuery } from './items.dto.js';
import { ItemsService } from './items.service.js';
import { InventoryEvents } from '../resources/inventory.events.js';
import { ITEM_SKU } from '../model/item-sku.js';

const VIEW = { permission: 'inventory.stock.view' };
const MANAGE = { permission: 'inventory.stock.manage' };

@Controller('/api/v1/ext/inventory/items')
export class ItemsController {
  constructor(private readonly items: ItemsService) {}

  @Get()
  @Endpoint({
    scope: 'inventory:item:read',
    member: VIEW,
    operation: 'list_items',
    summary: 'List items with their stock over all locations',
    returns: InventoryItemDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: InventoryItemsQuery): Promise<ListBody<InventoryItemDto>> {
    return listBody(await this.items.page(ctx, query), (item) => InventoryItemDto.from(item));
  }

  @Get(':id')
  @Endpoint({
    scope: 'inventory:item:read',
    member: VIEW,
    operation: 'get_item',
    summary: 'Get one item with its stock over all locations',
    returns: InventoryItemDto,
  })
  async get(@Ctx() ctx: Ctx, @Id('id', 'Id or SKU.', ITEM_SKU) id: string): Promise<InventoryItemDto> {
    return InventoryItemDto.from(await this.items.get(ctx, id));
  }

  @Post()
  @Endpoint({
    scope: 'inventory:item:write',
    member: MANAGE,
    operation: 'create_item',
    summary: 'Create an item',
    description: 'It has no stock; record a receipt or a count.',
    returns: InventoryItemDto,
    status: 201,
    errors: [CommonErrors.duplicate],
    emits: [InventoryEvents.itemCreated],
  })
  async create(@Ctx() ctx: Ctx, @Body() body: CreateInventoryItemDto): Promise<InventoryItemDto> {
    return InventoryItemDto.from(await this.items.create(ctx, body));
  }

  @Patch(':id')
  @Endpoint({
    scope: 'inventory:item:write',
    member: MANAGE,
    operation: 'update_item',
    summary: 'Change an item',
    description: 'Stock does not change its version.',
    returns: InventoryItemDto,
    errors: [CommonErrors.duplicate, InventoryErrors.itemInUse],
    emits: [InventoryEvents.stockLow, InventoryEvents.reorderDue, InventoryEvents.itemUpdated],
  })
  async update(
    @Ctx() ctx: Ctx,
    @Id('id', 'Id or SKU.', ITEM_SKU) id: string,
    @Body() body: UpdateInventoryItemDto,
  ): Promise<InventoryItemDto> {
    return InventoryItemDto.from(await this.items.update(ctx, id, body));
  }
}
