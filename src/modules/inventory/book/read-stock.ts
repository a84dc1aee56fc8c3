import { own, sql, table, type SqlReader, type Tx } from '../../../kit/index.js';
import { CostLayer } from '../model/cost-layer.entity.js';
import { InventoryItem } from '../model/item.entity.js';
import { StockLot } from '../model/lot.entity.js';
import { StockLotLevel } from '../model/lot-level.entity.js';
import { quantityOf } from '../model/quantities.js';
import { StockReservation } from '../model/reservation.entity.js';
import { StockLevel } from '../model/stock-level.entity.js';
import { StockTotal } from '../model/stock-total.entity.js';
import { ItemStock, type LayerState, type LevelState, type LotName, type StoredTotal } from './item-stock.js';
import { LotStock } from './lot-stock.js';

/** What a change needs in addition to the items and their levels. */
export interface StockNeeds {
  /** The lots that it names. */
  lots?: readonly { itemId: string; name: LotName }[];
  /** Locations from which it takes lots that it does not name. */
  picks?: readonly { itemId: string; locationId: string }[];
  /** The reservations that it names. */
  reservations?: readonly string[];
}

export interface StockRead {
  stocks: Map<string, ItemStock>;
  reservations: StockReservation[];
  /** The database's time after the read, or after the locks were granted. */
  now: Date;
}

type StockReader = SqlReader & Pick<Tx, 'list'>;

/** The most lots that one call may read to choose from. */
const MOST_PICKED = 5_000;

/** In the order of their ids, in which they are locked. */
const totals = (ids: readonly string[]) => sql`
  SELECT s.id, s.on_hand, s.reserved, s.held, s.incoming, s.value_amount, s.sequence FROM ${table(StockTotal)} s
  WHERE s.id = ANY(${ids}) AND ${own('s')} ORDER BY s.id`;
const lockedTotals = (ids: readonly string[]) => sql`${totals(ids)} FOR UPDATE`;
const items = (ids: readonly string[]) => sql`
  SELECT i.id, i.organization_id, i.project_id, i.mode, i.sku, i.name, i.description, i.unit, i.units, i.quantity_scale, i.tracking,
    i.valuation_method, i.reorder_point, i.reorder_quantity, i.barcode, i.external_id, i.active, i.low, i.currency, i.created_by, i.version,
    i.created_at, i.updated_at
  FROM ${table(InventoryItem)} i WHERE i.id = ANY(${ids}) AND ${own('i')}`;
/** At least one row, for the time. */
const levels = (ids: readonly string[]) => sql`
  SELECT l.*, n.now FROM (SELECT clock_timestamp()::timestamptz(3) AS now) AS n
  LEFT JOIN ${table(StockLevel)} l ON l.item_id = ANY(${ids}) AND ${own('l')}`;
const layers = (ids: readonly string[]) => sql`
  SELECT c.id, c.item_id, c.sequence, c.remaining, c.remaining_amount FROM ${table(CostLayer)} c
  WHERE c.item_id = ANY(${ids}) AND ${own('c')} AND c.remaining > 0 ORDER BY c.item_id, c.sequence`;

/** Reads the stock of the items, except those that the caller may not access, locked until the end of the transaction. */
export function lockStock(tx: Tx, ids: readonly string[], wanted: StockNeeds): Promise<StockRead> {
  return read(tx, ids, wanted, lockedTotals);
}

/** The same without a lock: what it read may be outdated when the change is written. */
export function readStock(tx: Tx, ids: readonly string[]): Promise<StockRead> {
  return read({ sql: (statement) => tx.sql(statement, { onlyReads: true }), list: tx.list.bind(tx) }, ids, {}, totals);
}

async function read(tx: StockReader, ids: readonly string[], wanted: StockNeeds, totalsOf: typeof totals): Promise<StockRead> {
  // sent together: each statement sees what was committed until the locks were granted
  const [totalRows, itemRows, levelRows, reservations] = await Promise.all([
    tx.sql<StoredTotal & { id: string }>(totalsOf(ids)),
    tx.sql<InventoryItem>(items(ids)),
    tx.sql<StockLevel & { now: Date }>(levels(ids)),
    wanted.reservations?.length ? tx.list(StockReservation, { id: wanted.reservations, item_id: ids }) : [],
  ]);
  const idsOf = (filter: (item: InventoryItem) => boolean) => itemRows.flatMap((item) => (filter(item) ? [item.id] : []));
  const fifo = idsOf(({ valuation_method }) => valuation_method === 'fifo');
  const tracked = idsOf(({ tracking }) => tracking !== 'none');
  const [costLayers, lots] = await Promise.all([
    fifo.length === 0 ? [] : tx.sql<CostLayer>(layers(fifo)),
    tracked.length === 0 ? [] : lotsOf(tx, tracked, wanted),
  ]);
  const lotLevels = lots.length === 0 ? [] : await tx.list(StockLotLevel, { lot_id: lots.map(({ id }) => id) });
  const isPartial = lots.length >= pickedPer(wanted);
  const stocks = new Map<string, ItemStock>();
  for (const total of totalRows) {
    const item = itemRows.find(({ id }) => id === total.id);
    // it was deleted between the reads
    if (!item) continue;
    const of = <R extends { item_id: string }>(rows: readonly R[]) => rows.filter(({ item_id }) => item_id === item.id);
    const lotStock = item.tracking === 'none' ? null : new LotStock(of(lots), of(lotLevels), isPartial);
    stocks.set(item.id, new ItemStock(item, total, levelsOf(of(levelRows)), layersOf(of(costLayers)), lotStock));
  }
  return { stocks, reservations, now: levelRows[0].now };
}

/** Lots by code or id, and those that picks choose from: first those that expire first, then the oldest. */
function lotsOf(tx: StockReader, tracked: readonly string[], wanted: StockNeeds): Promise<StockLot[]> {
  const { lots = [], picks = [] } = wanted;
  const used = picks.filter(({ itemId }) => tracked.includes(itemId));
  const codes = lots.flatMap(({ name }) => ('code' in name ? [name.code] : []));
  const ids = lots.flatMap(({ name }) => ('id' in name ? [name.id] : []));
  const [pickItems, pickLocations] = [used.map(({ itemId }) => itemId), used.map(({ locationId }) => locationId)];
  return tx.list(
    StockLot,
    {},
    sql`t.item_id = ANY(${tracked}) AND (t.code = ANY(${codes}) OR t.id = ANY(${ids}) OR t.id IN (
        SELECT picked.lot_id FROM unnest(${pickItems}::uuid[], ${pickLocations}::uuid[]) AS p (item_id, location_id)
        CROSS JOIN LATERAL (
          SELECT q.lot_id FROM ${table(StockLotLevel)} q JOIN ${table(StockLot)} l ON l.id = q.lot_id
          WHERE ${own('q')} AND q.item_id = p.item_id AND q.location_id = p.location_id AND q.quantity > 0 AND NOT l.expired
          ORDER BY l.expires_on NULLS LAST, l.id LIMIT ${pickedPer(wanted)}
        ) AS picked))`,
  );
}

function pickedPer({ picks = [] }: StockNeeds): number {
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
