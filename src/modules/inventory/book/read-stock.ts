import type { Ctx, Tx } from '../../../kit/index.js';
import type { CostLayer } from '../model/cost-layer.entity.js';
import type { InventoryItem } from '../model/item.entity.js';
import { StockLot } from '../model/lot.entity.js';
import { StockLotLevel } from '../model/lot-level.entity.js';
import { quantityOf } from '../model/quantities.js';
import { StockReservation } from '../model/reservation.entity.js';
import type { StockLevel } from '../model/stock-level.entity.js';
import { ItemStock, type LayerState, type LevelState, type LotName, type StoredTotal } from './item-stock.js';
import { LotStock } from './lot-stock.js';

/** What a change needs beside the items and their levels. */
export interface Wanted {
  /** The lots that it names. */
  lots?: readonly { itemId: string; name: LotName }[];
  /** Where it takes from lots that it does not name. */
  picks?: readonly { itemId: string; locationId: string }[];
  /** The reservations that it names. */
  reservations?: readonly string[];
}

export interface StockRead {
  stocks: Map<string, ItemStock>;
  reservations: StockReservation[];
  /** The database's time after the locks were granted. */
  now: Date;
}

/** As many lots of all picks as one call may look at. */
const MOST_PICKED = 5_000;

/** An item with its totals. */
type LockedItem = InventoryItem & Record<`total_${keyof StoredTotal}`, never>;

/** Locks the totals in the order of their ids. The item is what it was when the statement began: see `readStock`. */
const LOCK = `
  SELECT i.id, i.organization_id, i.project_id, i.mode, i.sku, i.name, i.description, i.unit, i.units, i.quantity_scale, i.tracking,
    i.valuation_method, i.reorder_point, i.reorder_quantity, i.barcode, i.external_id, i.active, i.currency, i.created_by, i.version,
    i.created_at, i.updated_at, s.on_hand AS total_on_hand, s.reserved AS total_reserved, s.held AS total_held,
    s.incoming AS total_incoming, s.value_amount AS total_value_amount, s.sequence AS total_sequence, s.low AS total_low
  FROM stock_totals s JOIN inventory_items i ON i.id = s.id
  WHERE s.id = ANY($1) AND s.organization_id = $2 AND s.mode = $3 AND ($4::uuid IS NULL OR s.project_id = $4)
  ORDER BY s.id FOR UPDATE OF s`;
const LEVELS = 'SELECT * FROM stock_levels WHERE item_id = ANY($1) AND organization_id = $2';
const LAYERS = `
  SELECT id, item_id, sequence, remaining, remaining_amount FROM stock_cost_layers
  WHERE item_id = ANY($1) AND organization_id = $2 AND remaining > 0 ORDER BY item_id, sequence`;

/** The stock of those of the items that are the caller's, locked until the end of the transaction. */
export async function readStock(ctx: Ctx, tx: Tx, ids: readonly string[], wanted: Wanted): Promise<StockRead> {
  // sent together: each statement sees what was committed until the locks were granted
  const [items, levels, [{ now }], reservations] = await Promise.all([
    lockItems(ctx, tx, ids),
    tx.query<StockLevel>(LEVELS, [ids, ctx.organizationId]),
    tx.query<{ now: Date }>('SELECT clock_timestamp()::timestamptz(3) AS now'),
    wanted.reservations?.length ? tx.list(StockReservation, { id: wanted.reservations, item_id: ids }) : [],
  ]);
  const fifo = items.filter(({ valuation_method }) => valuation_method === 'fifo').map(({ id }) => id);
  const tracked = items.filter(({ tracking }) => tracking !== 'none').map(({ id }) => id);
  const [layers, lots] = await Promise.all([
    fifo.length === 0 ? [] : tx.query<CostLayer>(LAYERS, [fifo, ctx.organizationId]),
    tracked.length === 0 ? [] : lotsOf(tx, tracked, wanted),
  ]);
  const lotLevels = lots.length === 0 ? [] : await tx.list(StockLotLevel, { lot_id: lots.map(({ id }) => id) });
  const isPartial = lots.length >= pickedPer(wanted);
  const stocks = new Map<string, ItemStock>();
  for (const item of items) {
    const own = <R extends { item_id: string }>(rows: readonly R[]) => rows.filter(({ item_id }) => item_id === item.id);
    const lotStock = item.tracking === 'none' ? null : new LotStock(own(lots), own(lotLevels), isPartial);
    stocks.set(item.id, new ItemStock(item, totalOf(item), levelsOf(own(levels)), layersOf(own(layers)), lotStock));
  }
  return { stocks, reservations, now };
}

/** Again if an item has not moved yet: until then its tracking and valuation can change, and may have while this waited for the lock. */
async function lockItems(ctx: Ctx, tx: Tx, ids: readonly string[]): Promise<LockedItem[]> {
  const values = [ids, ctx.organizationId, ctx.mode, ctx.projectId];
  const items = await tx.query<LockedItem>(LOCK, values);
  return items.some((item) => totalOf(item).sequence === 0) ? tx.query<LockedItem>(LOCK, values) : items;
}

function totalOf(item: LockedItem): StoredTotal {
  return {
    on_hand: item.total_on_hand,
    reserved: item.total_reserved,
    held: item.total_held,
    incoming: item.total_incoming,
    value_amount: item.total_value_amount,
    sequence: item.total_sequence,
    low: item.total_low,
  };
}

/** Lots by code or id, and those that picks choose from: what expires first, then what came first. */
function lotsOf(tx: Tx, tracked: readonly string[], wanted: Wanted): Promise<StockLot[]> {
  const { lots = [], picks = [] } = wanted;
  const used = picks.filter(({ itemId }) => tracked.includes(itemId));
  return tx.list(
    StockLot,
    {},
    {
      sql: `t.item_id = ANY(:items) AND (t.code = ANY(:codes) OR t.id = ANY(:lots) OR t.id IN (
        SELECT picked.lot_id FROM unnest(:pick_items::uuid[], :pick_locations::uuid[]) AS p (item_id, location_id)
        CROSS JOIN LATERAL (
          SELECT q.lot_id FROM stock_lot_levels q JOIN stock_lots l ON l.id = q.lot_id
          WHERE q.item_id = p.item_id AND q.location_id = p.location_id AND q.quantity > 0 AND NOT l.expired
          ORDER BY l.expires_on NULLS LAST, l.id LIMIT :most
        ) AS picked))`,
      values: {
        items: tracked,
        codes: lots.flatMap(({ name }) => ('code' in name ? [name.code] : [])),
        lots: lots.flatMap(({ name }) => ('id' in name ? [name.id] : [])),
        pick_items: used.map(({ itemId }) => itemId),
        pick_locations: used.map(({ locationId }) => locationId),
        most: pickedPer(wanted),
      },
    },
  );
}

function pickedPer({ picks = [] }: Wanted): number {
  return Math.floor(MOST_PICKED / Math.max(1, picks.length));
}

function levelsOf(rows: readonly StockLevel[]): Map<string, LevelState> {
  return new Map(
    rows.map((row) => [
      row.location_id,
      {
        locationId: row.location_id,
        row,
        onHand: quantityOf(row.on_hand),
        reserved: quantityOf(row.reserved),
        held: quantityOf(row.held),
        changed: false,
      },
    ]),
  );
}

function layersOf(rows: readonly CostLayer[]): LayerState[] {
  return rows.map(({ id, sequence, remaining, remaining_amount }) => ({
    row: { id },
    sequence,
    received: 0n,
    quantity: quantityOf(remaining),
    amount: remaining_amount,
    changed: false,
  }));
}
