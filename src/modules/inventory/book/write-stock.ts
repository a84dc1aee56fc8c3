import { own, sql, table, type Ctx, type Decimal, type Tx } from '../../../kit/index.js';
import { CostLayer } from '../model/cost-layer.entity.js';
import { InventoryItem, type StockFigures } from '../model/item.entity.js';
import { StockLotLevel } from '../model/lot-level.entity.js';
import { StockLot } from '../model/lot.entity.js';
import { StockMovement } from '../model/movement.entity.js';
import { decimalOf, quantityOf, type Quantity } from '../model/quantities.js';
import { StockReservation } from '../model/reservation.entity.js';
import { StockLevel } from '../model/stock-level.entity.js';
import { StockTotal } from '../model/stock-total.entity.js';
import { InventoryEvents } from '../resources/inventory.events.js';
import { InventoryItemDto } from '../resources/item.dto.js';
import { StockMovementDto } from '../resources/movement.dto.js';
import { StockReservationDto } from '../resources/reservation.dto.js';
import { StockLevelDto } from '../resources/stock-level.dto.js';
import type { ItemStock, LayerState, LevelState } from './item-stock.js';
import type { LotStock } from './lot-stock.js';
import type { ReservationState } from './reservation-state.js';

/** A reservation to be inserted. */
export interface NewReservation {
  stock: ItemStock;
  locationId: string;
  quantity: Quantity;
  reference: string;
  expires_at: Date | null;
}

/** What was written. */
export interface WrittenStock {
  movements: readonly StockMovement[];
  /** New reservations. */
  reservations: StockReservation[];
  /** Reservations that were changed, by id. */
  changed: ReadonlyMap<string, StockReservation>;
}

/** The changes of a book. */
export interface Changes {
  stocks: readonly ItemStock[];
  movements: readonly StockMovement[];
  /** Those that were changed. */
  reservations: readonly ReservationState[];
  reserved: readonly NewReservation[];
  now: Date;
}

/** Writes the changes of a book without waiting for the database, and emits their events. */
export async function writeStock(ctx: Ctx, tx: Tx, { stocks, movements, reservations, reserved, now }: Changes): Promise<WrittenStock> {
  const levels = new Map<LevelState, StockLevel>();
  for (const stock of stocks) {
    writeTotal(tx, stock, now);
    for (const level of stock.levels.values()) {
      const row = level.changed ? await writeLevel(tx, stock, level, now) : level.row;
      if (row) levels.set(level, row);
    }
    for (const layer of stock.layers) if (layer.changed) await writeLayer(tx, stock, layer);
    if (stock.lots) await writeLots(tx, stock, stock.lots);
  }
  const changed = await writeReservations(tx, reservations, now);
  const created: StockReservation[] = [];
  for (const one of reserved) created.push(await insertReservation(ctx, tx, one));
  // with the time at which they were recorded instead of the transaction's
  for (const movement of movements) await tx.advanced.pipelined.insert(StockMovement, movement, now);

  emitMovements(tx, movements, [...levels.values()]);
  for (const row of created)
    tx.emit(InventoryEvents.reservationCreated, { object: StockReservationDto.from(row), projectId: row.project_id });
  for (const { row, ended } of reservations) emitEnded(tx, changed.get(row.id) as StockReservation, ended);
  for (const stock of stocks) writeLow(tx, stock);
  return { movements, reservations: created, changed };
}

function emitMovements(tx: Tx, movements: readonly StockMovement[], levels: readonly StockLevel[]): void {
  const keyOf = ({ item_id, location_id }: StockLevel | StockMovement) => `${item_id} ${location_id}`;
  const levelOf = new Map(levels.map((level) => [keyOf(level), level]));
  for (const row of movements) {
    const context = { level: StockLevelDto.from(levelOf.get(keyOf(row)) as StockLevel) };
    tx.emit(InventoryEvents.stockMoved, { object: StockMovementDto.from(row), projectId: row.project_id, context });
  }
}

function emitEnded(tx: Tx, row: StockReservation, ended: ReservationState['ended']): void {
  const object = StockReservationDto.from(row);
  for (const { reason, quantity } of ended)
    tx.emit(InventoryEvents.reservationEnded, { object, projectId: row.project_id, context: { reason, quantity: decimalOf(quantity) } });
}

/** Whether no more than the reorder point is available. */
function isLow({ item: { reorder_point }, available }: Pick<ItemStock, 'item' | 'available'>): boolean {
  return reorder_point !== null && available <= quantityOf(reorder_point);
}

export function figuresOf(stock: ItemStock): StockFigures {
  return {
    on_hand: decimalOf(stock.onHand),
    reserved: decimalOf(stock.reserved),
    held: decimalOf(stock.held),
    incoming: decimalOf(stock.incoming),
    value_amount: stock.value,
  };
}

/** Stores whether the item is low if that has changed, and emits the events if it has become low, once for each crossing. */
export function writeLow(tx: Tx, stock: ItemStock): void {
  const { item } = stock;
  const low = isLow(stock);
  if (low === item.low) return;
  tx.advanced.pipelined.sql(sql`UPDATE ${table(InventoryItem)} i SET low = ${low} WHERE i.id = ${item.id} AND ${own('i')}`);
  item.low = low;
  if (!low) return;
  const object = InventoryItemDto.from(item, figuresOf(stock));
  const { project_id: projectId } = item;
  tx.emit(InventoryEvents.stockLow, { object, projectId, context: { available: object.available, reorder_point: object.reorder_point } });
  tx.emit(InventoryEvents.reorderDue, { object, projectId });
}

/** Adds the differences instead of setting values, so that constraints reject a change that a concurrent one has made impossible. */
function writeTotal(tx: Tx, { item, row, onHand, reserved, held, incoming, value, sequence }: ItemStock, now: Date): void {
  const amounts = {
    ...differences({ onHand, reserved, held }, row),
    incoming: decimalOf(incoming - quantityOf(row.incoming)),
    value_amount: String(value - row.value_amount),
    sequence: String(sequence - row.sequence),
  };
  tx.advanced.pipelined.increment(StockTotal, item.id, amounts, now);
}

async function writeLevel(tx: Tx, { item }: ItemStock, level: LevelState, now: Date): Promise<StockLevel> {
  const { row, locationId, onHand, reserved, held } = level;
  const quantities = { on_hand: decimalOf(onHand), reserved: decimalOf(reserved), held: decimalOf(held) };
  if (!row)
    return tx.advanced.pipelined.insert(StockLevel, {
      project_id: item.project_id,
      item_id: item.id,
      location_id: locationId,
      ...quantities,
    });
  const amounts = differences(level, row);
  if (Object.values(amounts).every((amount) => amount === '0')) return row;
  tx.advanced.pipelined.increment(StockLevel, row.id, amounts, now);
  return { ...row, ...quantities, version: row.version + 1, updated_at: now };
}

function differences(
  { onHand, reserved, held }: Pick<LevelState, 'onHand' | 'reserved' | 'held'>,
  row: Pick<StockLevel, 'on_hand' | 'reserved' | 'held'>,
): Record<'on_hand' | 'reserved' | 'held', Decimal> {
  return {
    on_hand: decimalOf(onHand - quantityOf(row.on_hand)),
    reserved: decimalOf(reserved - quantityOf(row.reserved)),
    held: decimalOf(held - quantityOf(row.held)),
  };
}

async function writeLayer(tx: Tx, { item }: ItemStock, { row, sequence, received, quantity, amount }: LayerState): Promise<void> {
  const remaining = { remaining: decimalOf(quantity), remaining_amount: amount };
  if (row) {
    tx.advanced.pipelined.sql(
      sql`UPDATE ${table(CostLayer)} c
        SET remaining = ${remaining.remaining}, remaining_amount = ${amount}, version = c.version + 1, updated_at = now()
        WHERE c.id = ${row.id} AND ${own('c')}`,
    );
    return;
  }
  const { project_id, id: item_id } = item;
  await tx.advanced.pipelined.insert(CostLayer, { project_id, item_id, sequence, quantity: decimalOf(received), ...remaining });
}

async function writeLots(tx: Tx, { item }: ItemStock, { all, levels }: LotStock): Promise<void> {
  const { project_id, id: item_id } = item;
  const serial = item.tracking === 'serial';
  for (const { id, row, code, expiresOn: expires_on, expired, onHand, inTransit } of all) {
    const values = { expires_on, expired, on_hand: decimalOf(onHand), in_transit: decimalOf(inTransit) };
    const isSame =
      row &&
      row.expired === expired &&
      row.expires_on === expires_on &&
      quantityOf(row.on_hand) === onHand &&
      quantityOf(row.in_transit) === inTransit;
    if (isSame) continue;
    if (row) await tx.advanced.pipelined.update(row, values);
    else await tx.advanced.pipelined.insert(StockLot, { id, project_id, item_id, code, serial, ...values });
  }
  // decreases first, so that a serial number is never at two locations
  const changed = levels.filter((level) => level.changed).sort((a, b) => (a.quantity < b.quantity ? -1 : a.quantity > b.quantity ? 1 : 0));
  for (const { lot, row, locationId: location_id, quantity } of changed) {
    if (row) await tx.advanced.pipelined.update(row, { quantity: decimalOf(quantity) });
    else
      await tx.advanced.pipelined.insert(StockLotLevel, {
        project_id,
        item_id,
        lot_id: lot.id,
        location_id,
        serial,
        quantity: decimalOf(quantity),
      });
  }
}

async function writeReservations(tx: Tx, states: readonly ReservationState[], now: Date): Promise<Map<string, StockReservation>> {
  const written = new Map<string, StockReservation>();
  for (const { row, quantity, consumed, status } of states) {
    const values = { quantity: decimalOf(quantity), consumed_quantity: decimalOf(consumed), status };
    written.set(row.id, await tx.advanced.pipelined.update(row, { ...values, ended_at: status === 'active' ? null : now }));
  }
  return written;
}

function insertReservation(
  ctx: Ctx,
  tx: Tx,
  { stock, locationId, quantity, reference, expires_at }: NewReservation,
): Promise<StockReservation> {
  return tx.advanced.pipelined.insert(StockReservation, {
    project_id: stock.item.project_id,
    item_id: stock.item.id,
    location_id: locationId,
    quantity: decimalOf(quantity),
    consumed_quantity: '0',
    status: 'active',
    reference,
    expires_at,
    ended_at: null,
    created_by: ctx.actor,
  });
}
