import type { Condition, SqlReader, Tx } from '../../../kit/index.js';
import { type CostLayer } from '../model/cost-layer.entity.js';
import { InventoryItem } from '../model/item.entity.js';
import { StockLot } from '../model/lot.entity.js';
import { StockLotLevel } from '../model/lot-level.entity.js';
import { quantityOf } from '../model/quantities.js';
import { StockReservation } from '../model/reservation.entity.js';
import { StockLevel } from '../model/stock-level.entity.js';
import { StockTotal } from '../model/stock-total.entity.js';
import { ItemStock, type LayerState, type LevelState, type LotName } from './item-stock.js';
import { LotStock } from './lot-stock.js';

/** What a change needs beside the totals of its items. */
export interface Wanted {
  /** The locations that it may change. */
  locationIds: readonly string[];
  /** The lots that it names. */
  lots?: readonly { itemId: string; name: LotName }[];
  /** Where it takes from lots that it does not name. */
  picks?: readonly { itemId: string; locationId: string }[];
  /** The reservations that it names. */
  reservations?: readonly string[];
}

/** As many lots of all picks as one call may look at. */
const MOST_PICKED = 5_000;

/** The stock of the items, locked in the order of their ids, and the database's time after that. */
export async function readStock(
  tx: Tx,
  items: readonly InventoryItem[],
  wanted: Wanted,
): Promise<{ stocks: Map<string, ItemStock>; reservations: StockReservation[]; now: Date }> {
  const ids = items.map(({ id }) => id);
  const fifo = items.filter(({ valuation_method }) => valuation_method === 'fifo').map(({ id }) => id);
  const tracked = items.filter(({ tracking }) => tracking !== 'none').map(({ id }) => id);
  // sent together: each statement sees what was committed until the locks were granted
  const [totals, levels, [{ now }], layers, lots, reservations] = await Promise.all([
    tx.lockWhere(StockTotal, { id: ids }),
    tx.list(StockLevel, { item_id: ids, location_id: [...wanted.locationIds] }),
    tx.query<{ now: Date }>('SELECT clock_timestamp()::timestamptz(3) AS now'),
    fifo.length === 0 ? [] : openLayers(tx, fifo),
    tracked.length === 0 ? [] : tx.list(StockLot, {}, lotsOf(tracked, wanted)),
    wanted.reservations?.length ? tx.list(StockReservation, { id: wanted.reservations, item_id: ids }) : [],
  ]);
  const lotLevels = lots.length === 0 ? [] : await tx.list(StockLotLevel, { lot_id: lots.map(({ id }) => id) });
  // its tracking and valuation may have changed until its first movement
  const unmoved = totals.filter(({ sequence }) => sequence === 0).map(({ id }) => id);
  const current = unmoved.length === 0 ? [] : await tx.list(InventoryItem, { id: unmoved });
  const byId = new Map([...items, ...current].map((item) => [item.id, item]));
  const isPartial = lots.length >= pickedPer(wanted);
  const stocks = new Map<string, ItemStock>();
  for (const total of totals) {
    const item = byId.get(total.id) as InventoryItem;
    const own = <R extends { item_id: string }>(rows: readonly R[]) => rows.filter(({ item_id }) => item_id === item.id);
    const lotStock = item.tracking === 'none' ? null : new LotStock(own(lots), own(lotLevels), isPartial);
    stocks.set(item.id, new ItemStock(item, total, levelsOf(own(levels)), layersOf(own(layers)), lotStock));
  }
  return { stocks, reservations, now };
}

function openLayers(tx: SqlReader, itemIds: readonly string[]): Promise<CostLayer[]> {
  return tx.query<CostLayer>(
    `SELECT id, item_id, sequence, remaining, remaining_amount FROM stock_cost_layers
     WHERE item_id = ANY($1) AND remaining > 0 ORDER BY item_id, sequence`,
    [itemIds],
  );
}

/** Lots by code or id, and those that picks choose from: what expires first, then what came first. */
function lotsOf(tracked: readonly string[], wanted: Wanted): Condition {
  const { lots = [], picks = [] } = wanted;
  const used = picks.filter(({ itemId }) => tracked.includes(itemId));
  return {
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
  };
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
