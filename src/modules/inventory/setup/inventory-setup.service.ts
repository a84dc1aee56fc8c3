import { Injectable } from '@nestjs/common';
import { CommonErrors, own, Projects, requireCurrency, requireRoom, sql, Store, table, type Ctx, type Tx } from '../../../kit/index.js';
import { InventoryConfig } from '../config/inventory-config.js';
import type { CreateStockLocationDto, CreateStockReasonDto, UpdateStockLocationDto, UpdateStockReasonDto } from '../lookups/lookups.dto.js';
import { InventoryItem } from '../model/item.entity.js';
import { InventorySettings } from '../model/inventory-settings.entity.js';
import { StockLocation } from '../model/location.entity.js';
import { StockReason } from '../model/reason.entity.js';
import type { UpdateInventorySettingsDto } from './setup.dto.js';

/** Limited, because a change of stock may read all locations for each of a hundred items. */
const MOST_LOCATIONS = 100;
const MOST_REASONS = 100;

/** Changes the configuration of projects. */
@Injectable()
export class InventorySetup {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly config: InventoryConfig,
  ) {}

  locations(ctx: Ctx, project_id: string): Promise<StockLocation[]> {
    return this.store.list(ctx, StockLocation, { project_id });
  }

  async createLocation(ctx: Ctx, { project_id, position, ...body }: CreateStockLocationDto): Promise<StockLocation> {
    const project = await this.projects.resolve(ctx, project_id);
    return this.config.change(ctx, project.id, async (tx) => {
      const existing = await tx.list(StockLocation, { project_id: project.id });
      requireRoom(existing, MOST_LOCATIONS, 'locations');
      const last = Math.max(0, ...existing.map((location) => location.position));
      return tx.insert(StockLocation, { ...body, project_id: project.id, position: position ?? Math.min(last + 1, 10_000) });
    });
  }

  async createReason(ctx: Ctx, { project_id, ...body }: CreateStockReasonDto): Promise<StockReason> {
    const project = await this.projects.resolve(ctx, project_id);
    return this.config.change(ctx, project.id, async (tx) => {
      requireRoom(await tx.list(StockReason, { project_id: project.id }), MOST_REASONS, 'reasons');
      return tx.insert(StockReason, { ...body, project_id: project.id });
    });
  }

  updateLocation(ctx: Ctx, id: string, body: UpdateStockLocationDto): Promise<StockLocation> {
    return this.change(ctx, StockLocation, id, (tx, location) => tx.update(location, body));
  }

  updateReason(ctx: Ctx, id: string, { name, active }: UpdateStockReasonDto): Promise<StockReason> {
    return this.change(ctx, StockReason, id, (tx, reason) => tx.update(reason, { name, active }));
  }

  /** Foreign keys reject deleting rows that stock, movements, reservations or transfers refer to. */
  delete(ctx: Ctx, entity: typeof StockLocation | typeof StockReason, id: string): Promise<void> {
    return this.change(ctx, entity as typeof StockLocation, id, (tx, row) => tx.delete(row));
  }

  async settings(ctx: Ctx, projectId: string): Promise<InventorySettings> {
    const [settings] = await this.store.list(ctx, InventorySettings, { project_id: projectId });
    if (!settings) throw CommonErrors.notFound();
    return settings;
  }

  /** Items refer to the currency, so their foreign key also rejects the change if one is created in the meantime. */
  async updateSettings(ctx: Ctx, projectId: string, { currency }: UpdateInventorySettingsDto): Promise<InventorySettings> {
    requireCurrency('currency', currency);
    const { id } = await this.settings(ctx, projectId);
    return this.change(ctx, InventorySettings, id, async (tx, settings) => {
      const [item] = await tx.sql(
        sql.inBothModes(
          'whether either mode has an item',
        )`SELECT FROM ${table(InventoryItem)} i WHERE ${own('i')} AND i.project_id = ${projectId} LIMIT 1`,
      );
      if (item && currency !== undefined && currency !== settings.currency)
        throw CommonErrors.resourceConflict({ param: 'currency', message: 'The currency cannot be changed once the project has an item.' });
      return tx.update(settings, { currency });
    });
  }

  private async change<E extends StockLocation | StockReason | InventorySettings, R>(
    ctx: Ctx,
    entity: new () => E,
    id: string,
    change: (tx: Tx, row: E) => Promise<R>,
  ): Promise<R> {
    const { project_id } = await this.store.get(ctx, entity, id);
    return this.config.change(ctx, project_id, async (tx) => change(tx, await tx.target(entity, id)));
  }
}
