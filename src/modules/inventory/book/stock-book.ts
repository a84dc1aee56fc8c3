import { uuidv7 } from 'uuidv7';
import { own, sql, table, type Ctx, type Tx } from '../../../kit/index.js';
import { InventoryErrors } from '../model/inventory.errors.js';
import { InventoryItem } from '../model/item.entity.js';
import { StockMovement, type MovementKind } from '../model/movement.entity.js';
import { decimalOf, smaller, type Quantity } from '../model/quantities.js';
import { StockReservation } from '../model/reservation.entity.js';
import type { Effect, ItemStock, Leaving } from './item-stock.js';
import { lockStock, readStock, type StockRead, type StockNeeds } from './read-stock.js';
import { ReservationState, type EndReason } from './reservation-state.js';
import { writeStock, type NewReservation, type WrittenStock } from './write-stock.js';

/** The descriptive fields of a movement. */
export interface MovementFields {
  kind: MovementKind;
  quantity: Quantity;
  reason?: string | null;
  reference?: string | null;
  external_id?: string | null;
  occurred_at?: string;
  transfer_id?: string | null;
  reservation_id?: string | null;
  returned_issue_id?: string | null;
}

/** Fails if an item that was read without a lock has been deactivated, or has a reorder point by now. */
const requireReservable = (ids: readonly string[]) => sql`
  SELECT raise_stale_row() FROM ${table(InventoryItem)} i
  WHERE i.id = ANY(${ids}) AND ${own('i')} AND (NOT i.active OR i.reorder_point IS NOT NULL) LIMIT 1`;
/** UTC-12. */
const EARLIEST_ZONE_MS = 12 * 3_600_000;
/** The advice of an error, if the request could have said so. */
const RELEASE = ', or send release_reservations: true';
/** The most reservations that an error names. */
const MOST_NAMED = 20;

/**
 * The stock of some items, locked except to reserve. Changes are made in memory and written by `finish`, with their events. A change is
 * either rejected before it changes anything or made completely. All code that changes stock uses it, so the figures always agree.
 */
export class StockBook {
  readonly movements: StockMovement[] = [];
  private readonly reserved: NewReservation[] = [];

  private constructor(
    private readonly ctx: Ctx,
    private readonly tx: Tx,
    private readonly stocks: ReadonlyMap<string, ItemStock>,
    private readonly reservations: Map<string, ReservationState>,
    /** The database's time after the read. Locks were granted before, so movements of an item have ascending times. */
    readonly now: Date,
    private readonly isLocked: boolean,
  ) {}

  /**
   * Locks the items, except those that the caller may not access, until the end of the transaction. Lock no other rows of these items
   * before.
   */
  static async open(ctx: Ctx, tx: Tx, itemIds: readonly string[], wanted: StockNeeds = {}): Promise<StockBook> {
    return StockBook.of(ctx, tx, await lockStock(tx, [...new Set(itemIds)], wanted), true);
  }

  /**
   * For a change that does nothing but reserve: reads the items without locking them, so that nobody waits while it decides. Constraints
   * reject a reservation of what has become unavailable; then the change runs again with locks. An item with a reorder point is locked,
   * because whether it is low depends on the exact quantity.
   */
  static async openToReserve(ctx: Ctx, tx: Tx, itemIds: readonly string[]): Promise<StockBook> {
    if (tx.advanced.retryOnConflict()) {
      const found = await readStock(tx, [...new Set(itemIds)]);
      if ([...found.stocks.values()].every(({ item }) => item.reorder_point === null)) return StockBook.of(ctx, tx, found, false);
    }
    return StockBook.open(ctx, tx, itemIds);
  }

  private static of(ctx: Ctx, tx: Tx, { stocks, reservations, now }: StockRead, isLocked: boolean): StockBook {
    return new StockBook(ctx, tx, stocks, new Map(reservations.map((row) => [row.id, new ReservationState(row)])), now, isLocked);
  }

  /**
   * The earliest current date of all time zones: a lot whose date is before it has expired everywhere. The scheduled job finds the
   * others.
   */
  get today(): string {
    return new Date(this.now.getTime() - EARLIEST_ZONE_MS).toISOString().slice(0, 10);
  }

  /** Undefined if the item does not exist or the caller may not access it. */
  item(itemId: string): InventoryItem | undefined {
    return this.stocks.get(itemId)?.item;
  }

  stock(itemId: string): ItemStock {
    const stock = this.stocks.get(itemId);
    if (!stock) throw new Error(`The stock of ${itemId} was not opened.`);
    return stock;
  }

  reservation(id: string): ReservationState | undefined {
    return this.reservations.get(id);
  }

  /** Makes a reservation that was locked after the items part of the change. */
  take(row: StockReservation): ReservationState {
    const state = new ReservationState(row);
    this.reservations.set(row.id, state);
    return state;
  }

  /** Adds a movement with this effect. */
  record(stock: ItemStock, fields: MovementFields, effect: Effect): StockMovement {
    const { item } = stock;
    const { kind, quantity, reason = null, reference = null, external_id = null } = fields;
    const { transfer_id = null, reservation_id = null, returned_issue_id = null } = fields;
    const movement: StockMovement = Object.assign(new StockMovement(), {
      id: uuidv7(),
      organization_id: item.organization_id,
      project_id: item.project_id,
      mode: item.mode,
      item_id: item.id,
      location_id: effect.level.locationId,
      kind,
      sequence: effect.sequence,
      quantity: decimalOf(quantity),
      change: decimalOf(effect.change),
      cost_amount: effect.cost,
      cost_source: returned_issue_id === null ? effect.costSource : 'issue',
      on_hand_after: decimalOf(effect.onHandAfter),
      item_quantity_after: decimalOf(effect.itemQuantityAfter),
      item_value_after: effect.itemValueAfter,
      lots: effect.lots.map((part) => ({ lot_id: part.lot.id, code: part.lot.code, change: decimalOf(part.quantity) })),
      lot_ids: effect.lots.map(({ lot }) => lot.id),
      reason,
      reference,
      external_id,
      occurred_at: fields.occurred_at === undefined ? this.now : new Date(fields.occurred_at),
      transfer_id,
      reservation_id,
      returned_issue_id,
      created_by: this.ctx.actor,
      version: 1,
      created_at: this.now,
      updated_at: this.now,
    });
    this.movements.push(movement);
    return movement;
  }

  /**
   * Releases the reservations that hold a part of a leaving quantity, or throws an error that names them. `release` is
   * release_reservations of the request, undefined if it has no such field.
   */
  async free(stock: ItemStock, leaving: Leaving, param: string, release?: boolean): Promise<Leaving> {
    const { blocked, level } = leaving;
    if (blocked === 0n) return leaving;
    if (!release)
      throw reservedError(
        param,
        await this.newestAt(stock, level.locationId, { most: MOST_NAMED }),
        leaving,
        release === undefined ? '' : RELEASE,
      );
    await this.shortenNewest(stock, level.locationId, blocked);
    return { ...leaving, blocked: 0n };
  }

  /** Ends reservations at a location, the newest first, until the quantity is free. */
  async shortenNewest(stock: ItemStock, locationId: string, quantity: Quantity): Promise<void> {
    let left = quantity;
    for (const reservation of await this.newestAt(stock, locationId, { quantity })) {
      if (left === 0n) return;
      const part = smaller(reservation.open, left);
      this.endReservation(stock, reservation, part, 'shortened');
      left -= part;
    }
    if (left > 0n) throw new Error(`The reservations at ${locationId} are less than what is reserved.`);
  }

  /** Ends a part of a reservation. A consumed part is released by `ItemStock.leave`, together with the stock. */
  endReservation(stock: ItemStock, reservation: ReservationState, quantity: Quantity, reason: EndReason): void {
    reservation.end(quantity, reason);
    if (reason !== 'consumed') stock.reserve(reservation.row.location_id, -quantity);
  }

  /** Reserves a quantity that the caller has found available. The result of `finish` has the rows in the order of these calls. */
  reserve(stock: ItemStock, locationId: string, quantity: Quantity, fields: { reference: string; expires_at: Date | null }): void {
    stock.reserve(locationId, quantity);
    this.reserved.push({ stock, locationId, quantity, ...fields });
  }

  /** Writes everything and emits the events. Statements are sent without waiting, so a violation surfaces at the commit. */
  async finish(): Promise<WrittenStock> {
    const { movements, reserved, now } = this;
    const reservations = [...this.reservations.values()].filter(({ ended }) => ended.length > 0);
    const written = await writeStock(this.ctx, this.tx, { stocks: [...this.stocks.values()], movements, reservations, reserved, now });
    // the totals are locked by now, as they are for any change of an item
    if (!this.isLocked) this.tx.advanced.pipelined.sql(requireReservable([...this.stocks.keys()]));
    return written;
  }

  /**
   * The newest active reservations at a location, including those that this change has modified; of the others `most`, or those that hold
   * the quantity.
   */
  private async newestAt(
    { item }: ItemStock,
    locationId: string,
    { most, quantity }: { most?: number; quantity?: Quantity },
  ): Promise<ReservationState[]> {
    const bounds = [
      most === undefined ? [] : sql`r.place <= ${most}`,
      quantity === undefined ? [] : sql`r.newer < ${decimalOf(quantity)}`,
    ].flat();
    // as an array, so that it is evaluated once, whatever the planner expects
    const newest = sql`t.id = ANY(ARRAY(SELECT r.id FROM (
        SELECT o.id, row_number() OVER newest AS place,
          sum(o.quantity - o.consumed_quantity) OVER newest - (o.quantity - o.consumed_quantity) AS newer
        FROM ${table(StockReservation)} o
        WHERE ${own('o')} AND o.item_id = ${item.id} AND o.location_id = ${locationId} AND o.status = 'active'
          AND o.id <> ALL(${[...this.reservations.keys()]})
        WINDOW newest AS (ORDER BY o.created_at DESC, o.id DESC)
      ) AS r WHERE ${sql.join([sql`true`, ...bounds], ' AND ')}))`;
    for (const row of await this.tx.list(StockReservation, {}, newest)) this.take(row);
    const isHere = ({ row, open }: ReservationState) => row.item_id === item.id && row.location_id === locationId && open > 0n;
    return [...this.reservations.values()].filter(isHere).sort((a, b) => newestFirst(a.row, b.row));
  }
}

function newestFirst(a: StockReservation, b: StockReservation): number {
  return b.created_at.getTime() - a.created_at.getTime() || (a.id < b.id ? 1 : -1);
}

function reservedError(param: string, reservations: readonly ReservationState[], { quantity, blocked }: Leaving, advice: string) {
  const named = reservations.slice(0, MOST_NAMED).map(({ row, open }) => ({
    param: `${param}quantity`,
    code: 'stock_reserved',
    message: `${decimalOf(open)} reserved for ${row.reference}`,
    reservation_id: row.id,
    reference: row.reference,
    quantity: decimalOf(open),
  }));
  return InventoryErrors.stockReserved({
    param: `${param}quantity`,
    message: `${decimalOf(blocked)} of it is reserved; release the reservations in details first${advice}.`,
    details: named,
    extra: { available: decimalOf(quantity - blocked) },
  });
}
