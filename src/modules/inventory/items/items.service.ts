import { Injectable } from '@nestjs/common';
import { changedFrom, definedOf, Projects, Store, type Condition, type Ctx, type Page, type Tx } from '../../../kit/index.js';
import { ItemStock } from '../book/item-stock.js';
import { figuresOf, writeLow } from '../book/write-stock.js';
import { duplicateOf } from '../model/inventory.errors.js';
import { InventoryItem, NO_STOCK } from '../model/item.entity.js';
import { StockTotal } from '../model/stock-total.entity.js';
import { InventoryEvents } from '../views/inventory.events.js';
import { InventoryItemDto } from '../views/item.dto.js';
import { changesFixed, newItem, requireConsistent, requireUnmoved, sameDecimal, type NewItem } from './item-rules.js';
import type { CreateInventoryItemDto, InventoryItemsQuery, UpdateInventoryItemDto } from './items.dto.js';

/** Creates and changes items. */
@Injectable()
export class ItemsService {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
  ) {}

  get(ctx: Ctx, id: string): Promise<InventoryItem> {
    return this.store.get(ctx, InventoryItem, id);
  }

  page(ctx: Ctx, query: InventoryItemsQuery): Promise<Page<InventoryItem>> {
    // literal, so that the partial index matches
    const conditions: Condition[] = query.low === undefined ? [] : [{ sql: query.low ? 't.low' : 'NOT t.low', values: {} }];
    return this.store.page(ctx, InventoryItem, query, ...conditions);
  }

  create(ctx: Ctx, body: CreateInventoryItemDto): Promise<InventoryItem> {
    return this.store.write(ctx, (tx) => this.createIn(ctx, tx, body));
  }

  private async createIn(ctx: Ctx, tx: Tx, { project_id, ...body }: CreateInventoryItemDto): Promise<InventoryItem> {
    const project = await this.projects.resolve(ctx, project_id);
    const [currency] = await Promise.all([
      this.currencyOf(ctx, tx, project.id),
      this.requireNew(ctx, tx, project.id, body.sku, body.external_id),
    ]);
    return this.insert(ctx, tx, project.id, currency, newItem(body));
  }

  /** The currency of new items, which cannot change until the end of the transaction. */
  async currencyOf(ctx: Ctx, tx: Tx, projectId: string): Promise<string> {
    const [{ currency }] = await tx.query<{ currency: string }>(
      'SELECT currency FROM inventory_settings WHERE organization_id = $1 AND project_id = $2 FOR KEY SHARE',
      [ctx.organizationId, projectId],
    );
    return currency;
  }

  /** Creates an item whose SKU and external id are known to be new, without waiting for the database. */
  async insert(ctx: Ctx, tx: Tx, projectId: string, currency: string, fields: NewItem): Promise<InventoryItem> {
    // a new item has no stock, so it is low if it has a reorder point; no event is needed, because the creator knows
    const low = fields.reorder_point !== null;
    const values = { ...fields, low, project_id: projectId, currency, created_by: ctx.actor };
    const item = await tx.insert(InventoryItem, values, { pipelined: true });
    await tx.insert(StockTotal, { ...NO_STOCK, id: item.id, project_id: projectId, sequence: 0 }, { pipelined: true });
    Object.assign(item, { stock: NO_STOCK });
    tx.emit(InventoryEvents.itemCreated, { object: InventoryItemDto.from(item), projectId });
    return item;
  }

  update(ctx: Ctx, id: string, body: UpdateInventoryItemDto): Promise<InventoryItem> {
    return this.store.write(ctx, async (tx) => {
      // movements lock the totals first, and then the item by their foreign keys
      const total = await tx.lock(StockTotal, id);
      const item = await tx.target(InventoryItem, id);
      const changed = { ...item, ...definedOf(body) } as InventoryItem;
      requireConsistent(changed);
      if (changesFixed(item, changed)) requireUnmoved(item, changed, total.sequence > 0);
      const sku = changed.sku.toLowerCase() === item.sku.toLowerCase() ? undefined : changed.sku;
      const externalId = changed.external_id === item.external_id ? null : changed.external_id;
      await this.requireNew(ctx, tx, item.project_id, sku, externalId);
      return this.write(tx, item, body, total);
    });
  }

  private async write(tx: Tx, item: InventoryItem, body: UpdateInventoryItemDto, total: StockTotal): Promise<InventoryItem> {
    const changes: Partial<InventoryItem> = { ...body };
    for (const name of ['reorder_point', 'reorder_quantity'] as const)
      if (body[name] !== undefined && sameDecimal(item[name], body[name])) changes[name] = undefined;
    const changed = await tx.update(item, changes);
    const stock = new ItemStock(changed, total, new Map(), [], null);
    const figures = figuresOf(stock);
    Object.assign(changed, { stock: figures });
    if (changed.version === item.version) return changed;
    const before = InventoryItemDto.from(item, figures);
    writeLow(tx, stock);
    const object = InventoryItemDto.from(changed);
    const previous = changedFrom(before, object);
    tx.emit(InventoryEvents.itemUpdated, { object, previous, projectId: item.project_id });
    return changed;
  }

  /** Throws 409 `duplicate` with the id of the item that has the SKU or external id, also if that is created in the meantime. */
  private async requireNew(ctx: Ctx, tx: Tx, projectId: string, sku: string | undefined, externalId: string | null | undefined) {
    if (sku === undefined && !externalId) return;
    tx.repeatIfTaken();
    const rows = await tx.query<{ id: string; has_external_id: boolean }>(
      `SELECT id, false AS has_external_id FROM inventory_items
         WHERE organization_id = $1 AND project_id = $2 AND mode = $3 AND lower(sku) = lower($4)
       UNION ALL SELECT id, true FROM inventory_items
         WHERE organization_id = $1 AND project_id = $2 AND mode = $3 AND external_id = $5`,
      [ctx.organizationId, projectId, ctx.mode, sku ?? null, externalId ?? null],
    );
    // the external id is more specific: a repeated row of an import has both
    const found = rows.find((row) => row.has_external_id) ?? rows[0];
    if (!found) return;
    throw found.has_external_id ? duplicateOf('external_id', externalId as string, found.id) : duplicateOf('sku', sku as string, found.id);
  }
}
