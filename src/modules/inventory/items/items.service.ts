import { Injectable } from '@nestjs/common';
import {
  changedFrom,
  definedOf,
  own,
  Projects,
  sql,
  Store,
  table,
  type Ctx,
  type CustomFieldValues,
  type Page,
  type Sql,
  type Tx,
} from '../../../kit/index.js';
import { ItemStock } from '../book/item-stock.js';
import { figuresOf, writeLow } from '../book/write-stock.js';
import { duplicateOf } from '../model/inventory.errors.js';
import { InventoryItem, NO_STOCK } from '../model/item.entity.js';
import { InventorySettings } from '../model/inventory-settings.entity.js';
import { StockTotal } from '../model/stock-total.entity.js';
import { InventoryEvents } from '../resources/inventory.events.js';
import { InventoryItemDto, type CreateInventoryItemDto, type UpdateInventoryItemDto } from '../resources/item.dto.js';
import { changesFixed, newItem, requireConsistent, requireUnmoved, sameDecimal, type NewItem } from './item-rules.js';
import type { InventoryItemsQuery } from './items.dto.js';

/** What at most one item of a project has, the most specific first: a repeated row of an import has all of them. */
const OWN = ['external_id', 'sku', 'barcode'] as const;
type Value = string | null | undefined;
const HAS: Readonly<Record<(typeof OWN)[number], (value: Value) => Sql>> = {
  external_id: (value) => sql`i.external_id = ${value}`,
  sku: (value) => sql`lower(i.sku) = lower(${value})`,
  barcode: (value) => sql`i.barcode = ${value}`,
};

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
    const conditions = query.low === undefined ? [] : [query.low ? sql`t.low` : sql`NOT t.low`];
    return this.store.page(ctx, InventoryItem, query, ...conditions);
  }

  create(ctx: Ctx, body: CreateInventoryItemDto): Promise<InventoryItem> {
    return this.store.write(ctx, (tx) => this.createIn(ctx, tx, body));
  }

  private async createIn(ctx: Ctx, tx: Tx, { project_id, ...body }: CreateInventoryItemDto): Promise<InventoryItem> {
    const project = await this.projects.resolve(ctx, project_id);
    const [currency] = await Promise.all([this.currencyOf(tx, project.id), this.requireNew(tx, project.id, body)]);
    return this.insert(ctx, tx, project.id, currency, newItem(body), body.custom_fields);
  }

  /** The currency of new items, which cannot change until the end of the transaction. */
  async currencyOf(tx: Tx, projectId: string): Promise<string> {
    const [{ currency }] = await tx.sql<{ currency: string }>(
      sql`SELECT s.currency FROM ${table(InventorySettings)} s WHERE ${own('s')} AND s.project_id = ${projectId} FOR KEY SHARE`,
    );
    return currency;
  }

  /** Creates an item whose SKU and external id are known to be new, without waiting for the database. */
  async insert(
    ctx: Ctx,
    tx: Tx,
    projectId: string,
    currency: string,
    fields: NewItem,
    customFields: CustomFieldValues | undefined,
  ): Promise<InventoryItem> {
    const custom_fields = await tx.customFields.ofNew(InventoryItem, customFields, { projectId });
    // a new item has no stock, so it is low if it has a reorder point; no event is needed, because the creator knows
    const low = fields.reorder_point !== null;
    const values = { ...fields, custom_fields, barcode_repeats: false, low, project_id: projectId, currency, created_by: ctx.actor };
    const item = await tx.advanced.pipelined.insert(InventoryItem, values);
    await tx.advanced.pipelined.insert(StockTotal, { ...NO_STOCK, id: item.id, project_id: projectId, sequence: 0 });
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
      await this.requireNew(tx, item.project_id, {
        sku: changed.sku.toLowerCase() === item.sku.toLowerCase() ? undefined : changed.sku,
        external_id: changed.external_id === item.external_id ? null : changed.external_id,
        barcode: changed.barcode === item.barcode ? null : changed.barcode,
      });
      return this.write(tx, item, body, total);
    });
  }

  private async write(tx: Tx, item: InventoryItem, body: UpdateInventoryItemDto, total: StockTotal): Promise<InventoryItem> {
    const changes: Partial<InventoryItem> = { ...body, custom_fields: await tx.customFields.ofChanged(item, body.custom_fields) };
    if (body.barcode !== undefined && body.barcode !== item.barcode) changes.barcode_repeats = false;
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

  /** Throws 409 `duplicate` with the id of the item that has one of these, also if that is created in the meantime. */
  private async requireNew(tx: Tx, projectId: string, fields: Partial<Record<(typeof OWN)[number], string | null>>): Promise<void> {
    const given = OWN.filter((name) => fields[name]);
    if (given.length === 0) return;
    tx.advanced.retryOnConflict();
    const selects = given.map(
      (name) => sql`SELECT ${name}::text AS name, i.id FROM ${table(InventoryItem)} i
        WHERE ${own('i')} AND i.project_id = ${projectId} AND ${HAS[name](fields[name])}`,
    );
    const found = await tx.sql<{ name: (typeof OWN)[number]; id: string }>(sql.join(selects, ' UNION ALL '));
    for (const name of given) {
      const row = found.find((one) => one.name === name);
      if (row) throw duplicateOf(name, fields[name] as string, row.id);
    }
  }
}
