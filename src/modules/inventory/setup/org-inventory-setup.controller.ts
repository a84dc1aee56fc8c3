import { Body, Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id } from '../../../kit/index.js';
import {
  CreateStockLocationDto,
  CreateStockReasonDto,
  StockLocationDto,
  StockReasonDto,
  UpdateStockLocationDto,
  UpdateStockReasonDto,
} from '../lookups/lookups.dto.js';
import { StockLocation } from '../model/location.entity.js';
import { StockReason } from '../model/reason.entity.js';
import { InventorySetup } from './inventory-setup.service.js';
import { InventorySettingsDto, UpdateInventorySettingsDto } from './setup.dto.js';

const permission = 'inventory.setup.manage';
const RETIRE = 'One that is in use cannot be deleted; send active: false instead.';

@Controller('/api/v1/org/inventory')
export class OrgInventorySetupController {
  constructor(private readonly setup: InventorySetup) {}

  @Post('locations')
  @Endpoint({
    operation: 'create_org_stock_location',
    summary: 'Create a location of stock',
    permission,
    returns: StockLocationDto,
    status: 201,
    errors: [CommonErrors.duplicate, CommonErrors.resourceConflict],
  })
  async createLocation(@Ctx() ctx: Ctx, @Body() body: CreateStockLocationDto): Promise<StockLocationDto> {
    return StockLocationDto.from(await this.setup.createLocation(ctx, body));
  }

  @Patch('locations/:id')
  @Endpoint({
    operation: 'update_org_stock_location',
    summary: 'Change a location of stock',
    permission,
    returns: StockLocationDto,
    errors: [CommonErrors.duplicate],
  })
  async updateLocation(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateStockLocationDto): Promise<StockLocationDto> {
    return StockLocationDto.from(await this.setup.updateLocation(ctx, id, body));
  }

  @Delete('locations/:id')
  @Endpoint({
    operation: 'delete_org_stock_location',
    summary: 'Delete an unused location of stock',
    description: RETIRE,
    permission,
    returns: null,
    errors: [CommonErrors.resourceConflict],
  })
  deleteLocation(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    return this.setup.delete(ctx, StockLocation, id);
  }

  @Post('reasons')
  @Endpoint({
    operation: 'create_org_stock_reason',
    summary: 'Create a reason of stock movements',
    permission,
    returns: StockReasonDto,
    status: 201,
    errors: [CommonErrors.duplicate, CommonErrors.resourceConflict],
  })
  async createReason(@Ctx() ctx: Ctx, @Body() body: CreateStockReasonDto): Promise<StockReasonDto> {
    return StockReasonDto.from(await this.setup.createReason(ctx, body));
  }

  @Patch('reasons/:id')
  @Endpoint({
    operation: 'update_org_stock_reason',
    summary: 'Rename or retire a reason of stock movements',
    permission,
    returns: StockReasonDto,
  })
  async updateReason(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateStockReasonDto): Promise<StockReasonDto> {
    return StockReasonDto.from(await this.setup.updateReason(ctx, id, body));
  }

  @Delete('reasons/:id')
  @Endpoint({
    operation: 'delete_org_stock_reason',
    summary: 'Delete an unused reason of stock movements',
    description: RETIRE,
    permission,
    returns: null,
    errors: [CommonErrors.resourceConflict],
  })
  deleteReason(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    return this.setup.delete(ctx, StockReason, id);
  }

  @Get('settings/:project_id')
  @Endpoint({
    operation: 'get_org_inventory_settings',
    summary: 'Get the inventory settings of a project',
    permission: [permission, 'inventory.stock.view'],
    returns: InventorySettingsDto,
  })
  async settings(@Ctx() ctx: Ctx, @Id('project_id', 'Id of the project.') projectId: string): Promise<InventorySettingsDto> {
    return InventorySettingsDto.from(await this.setup.settings(ctx, projectId));
  }

  @Patch('settings/:project_id')
  @Endpoint({
    operation: 'update_org_inventory_settings',
    summary: 'Change the inventory settings of a project',
    permission,
    returns: InventorySettingsDto,
    errors: [CommonErrors.resourceConflict],
  })
  async updateSettings(
    @Ctx() ctx: Ctx,
    @Id('project_id', 'Id of the project.') projectId: string,
    @Body() body: UpdateInventorySettingsDto,
  ): Promise<InventorySettingsDto> {
    return InventorySettingsDto.from(await this.setup.updateSettings(ctx, projectId, body));
  }
}
