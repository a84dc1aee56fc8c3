import { Injectable } from '@nestjs/common';
import { CommonErrors, notOfProject, type DomainError, type Ctx, type Decimal, type Tx } from '../../../kit/index.js';
import { atMost, type ItemStock } from '../book/item-stock.js';
import { insufficientStock, requireScale, shortageOf } from '../book/refusals.js';
import type { EndReason } from '../book/reservation-state.js';
import { StockBook } from '../book/stock-book.js';
import { InventoryConfig, isActive, requireLocation, type ProjectInventory } from '../config/inventory-config.js';
import { invalid, type Shortage } from '../model/inventory.errors.js';
import { quantityOf, smaller, type Quantity } from '../model/quantities.js';
import type { StockMovement } from '../model/movement.entity.js';
import { StockReservation } from '../model/reservation.entity.js';

/** What to reserve. */
export interface ReserveRequest {
  /** All items must belong to it; by default to any one project. */
  project_id?: string;
  /** Quantities in the item's unit. `param` is the path of the line in the caller's request, without a point at its end. */
  lines: readonly { item_id: string; quantity: Decimal; param?: string }[];
  /** Errors for what cannot be used, if the caller's request names it by other fields than `item_id` of the line and `location_id`. */
  unusable?: { item: (line: number) => DomainError; location: () => DomainError };
  /** Tried in this order; by default the sellable locations of the project in their order. */
  location_ids?: readonly string[];
  /** Whether a line may be reserved at several locations if none has enough for all lines. */
  split: boolean;
  /** What it is for, such as an order number. */
  reference: string;
  /** When the reservations expire; null: never. */
  expires_at: Date | null;
}

/** A reservation of one line; a split line has several. */
export interface LineReservation {
  /** Index of the line. */
  line: number;
  reservation: StockReservation;
}

interface Line {
  index: number;
  param: string;
  stock: ItemStock;
  quantity: Quantity;
}

/**
 * Reserves stock, and ends reservations. Every method works in the caller's transaction and locks the items until its end, `reserve` only
 * if it must: a transaction should call one of them once, with all items, because two transactions that make several calls may lock items
 * crosswise.
 */
@Injectable()
export class StockReservations {
  constructor(private readonly config: InventoryConfig) {}

  /**
   * Reserves all lines or none: at the first location that has enough for all of them, or else, with `split`, each line at the locations
   * in their order. Emits `stock_reservation.created` for each reservation. The caller's change may run again (`retryOnConflict`).
   *
   * Errors: 409 `insufficient_stock` with a `Shortage` for each item that lacks stock, summed over the lines; 400 `validation_failed` for
   * an item that is not of the project or not active, a location that is not active, or a quantity beyond the item's precision.
   */
  async reserve(ctx: Ctx, tx: Tx, request: ReserveRequest): Promise<LineReservation[]> {
    const itemIds = request.lines.map(({ item_id }) => item_id);
    const book = await StockBook.openToReserve(ctx, tx, itemIds);
    const locationIds = await this.config.decide(tx, requireItems(book, request), (config) => {
      if (!request.location_ids) return config.locations.filter((one) => one.sellable && one.active).map(({ id }) => id);
      const { location_ids, unusable } = request;
      if (unusable && !location_ids.every((id) => isUsable(config, id))) throw unusable.location();
      for (const id of location_ids) requireLocation(config, 'location_id', id, isActive);
      return [...location_ids];
    });
    const lines = request.lines.map((line, index): Line => lineOf(book, line, index));
    const parts = partsOf(lines, locationIds, request.split);
    for (const { line, locationId, quantity } of parts) book.reserve(line.stock, locationId, quantity, request);
    const { reservations } = await book.finish();
    return reservations.map((reservation, index) => ({ line: parts[index].line.index, reservation }));
  }

  /**
   * Releases a part of the open quantity of a reservation, or all of it, which ends it as `released`. Emits `stock_reservation.ended`.
   * Errors: 404 `not_found` if it is not active, 400 `validation_failed` for `param` if less is open.
   */
  shorten(ctx: Ctx, tx: Tx, reservationId: string, quantity: Decimal, param = 'quantity'): Promise<StockReservation> {
    return this.end(ctx, tx, reservationId, (open) => {
      if (quantityOf(quantity) > open) throw invalid(param, 'must not exceed what is open of the reservation');
      return { quantity: quantityOf(quantity), reason: 'released' };
    });
  }

  /**
   * Ends an active reservation as a whole. `mayEnd` looks at the locked row; `isTarget`: the request's path names the reservation, so
   * its If-Match applies. 404 `not_found` if the reservation is not active or may not end.
   */
  release(
    ctx: Ctx,
    tx: Tx,
    reservationId: string,
    reason: 'released' | 'expired',
    { mayEnd = () => true, isTarget = false }: { mayEnd?: (row: StockReservation) => boolean; isTarget?: boolean } = {},
  ): Promise<StockReservation> {
    const decide = (open: Quantity, row: StockReservation) => {
      if (!mayEnd(row)) throw CommonErrors.notFound();
      return { quantity: open, reason };
    };
    return this.end(ctx, tx, reservationId, decide, isTarget);
  }

  /**
   * Issues reserved stock: one movement of the kind issue for each use, at the reservation's location. Of tracked items it takes what
   * expires first. Emits `stock_reservation.ended` with the reason consumed, and `stock.moved`.
   * Errors: 400 `validation_failed` for a reservation that is not active, or of which less is open; 409 `insufficient_stock` if what is
   * there of a tracked item has expired.
   */
  async consume(
    ctx: Ctx,
    tx: Tx,
    uses: readonly { reservation_id: string; quantity: Decimal; param?: string }[],
    { reference, reason = null }: { reference: string; reason?: string | null },
  ): Promise<StockMovement[]> {
    const rows = await tx.list(StockReservation, { id: uses.map(({ reservation_id }) => reservation_id) });
    const itemIds = rows.map(({ item_id }) => item_id);
    const picks = rows.map(({ item_id: itemId, location_id: locationId }) => ({ itemId, locationId }));
    const book = await StockBook.open(ctx, tx, itemIds, { picks, reservations: rows.map(({ id }) => id) });
    for (const { reservation_id, quantity: wanted, param: path } of uses) {
      const param = path ?? 'reservation_id';
      const reservation = book.reservation(reservation_id);
      if (!reservation || reservation.open === 0n) throw invalid(param, 'must be an active reservation');
      const quantity = quantityOf(wanted);
      if (quantity <= 0n || quantity > reservation.open) throw invalid(param, 'must have this much open');
      const { item_id, location_id } = reservation.row;
      const stock = book.stock(item_id);
      const leaving = stock.leaving(path === undefined ? '' : `${path}.`, location_id, quantity, null, quantity);
      book.endReservation(stock, reservation, quantity, 'consumed');
      book.record(stock, { kind: 'issue', quantity, reference, reason, reservation_id }, stock.leave(leaving, quantity));
    }
    return [...(await book.finish()).movements];
  }

  private async end(
    ctx: Ctx,
    tx: Tx,
    reservationId: string,
    decide: (open: Quantity, row: StockReservation) => { quantity: Quantity; reason: EndReason },
    isTarget = false,
  ): Promise<StockReservation> {
    const { item_id } = await tx.get(StockReservation, reservationId);
    const book = await StockBook.open(ctx, tx, [item_id]);
    // checked again under the lock: it may have ended in the meantime
    const reservation = book.take(await (isTarget ? tx.target(StockReservation, reservationId) : tx.lock(StockReservation, reservationId)));
    if (reservation.open === 0n) throw CommonErrors.notFound();
    const { quantity, reason } = decide(reservation.open, reservation.row);
    book.endReservation(book.stock(item_id), reservation, quantity, reason);
    return (await book.finish()).changed.get(reservationId) as StockReservation;
  }
}

/** The project of the items, which must be active and of one project. */
function requireItems(book: StockBook, { project_id, lines, unusable }: ReserveRequest): string {
  const projectId = project_id ?? lines.map(({ item_id }) => book.item(item_id)?.project_id).find((id) => id !== undefined);
  for (const [index, { item_id, param }] of lines.entries()) {
    const item = book.item(item_id);
    if (!item?.active || item.project_id !== projectId)
      throw unusable?.item(index) ?? notOfProject(param ? `${param}.item_id` : 'item_id', 'must be an active item of the project');
  }
  return projectId as string;
}

function isUsable({ locations }: ProjectInventory, locationId: string): boolean {
  return locations.some((location) => location.id === locationId && isActive(location));
}

function lineOf(book: StockBook, { item_id, quantity: wanted, param: path }: ReserveRequest['lines'][number], index: number): Line {
  const [stock, quantity, param] = [book.stock(item_id), quantityOf(wanted), path === undefined ? '' : `${path}.`];
  if (quantity <= 0n) throw invalid(`${param}quantity`, 'must be greater than 0');
  return { index, param, stock, quantity: requireScale(stock.item, quantity, `${param}quantity`) };
}

interface LinePart {
  line: Line;
  locationId: string;
  quantity: Quantity;
}

/** The locations at which each line is reserved; throws if there is not enough. */
function partsOf(lines: readonly Line[], locationIds: readonly string[], split: boolean): LinePart[] {
  const sums = new Map<ItemStock, Quantity>();
  for (const { stock, quantity } of lines) sums.set(stock, (sums.get(stock) ?? 0n) + quantity);
  const complete = locationIds.find((id) => [...sums].every(([stock, quantity]) => stock.availableAt(id) >= quantity));
  if (complete !== undefined) return lines.map((line) => ({ line, locationId: complete, quantity: line.quantity }));
  const available = (stock: ItemStock) => locationIds.map((id) => stock.availableAt(id)).filter((quantity) => quantity > 0n);
  const usable = (stock: ItemStock) => available(stock).reduce((a, b) => (split ? a + b : a > b ? a : b), 0n);
  const only = locationIds.length === 1 ? locationIds[0] : null;
  const shortages: Shortage[] = [...sums].flatMap(([stock, quantity]) => {
    const param = lines.find((line) => line.stock === stock)?.param ?? '';
    return quantity > usable(stock) ? [shortageOf(stock.item, only, quantity, usable(stock), param)] : [];
  });
  if (shortages.length > 0) throw insufficientStock(shortages);
  if (!split) throw insufficientStock([...sums].map(([stock, quantity]) => shortageOf(stock.item, null, quantity, usable(stock), '')));
  return lines.flatMap((line) => splitOf(line, lines, locationIds));
}

/** Divides a line among the locations, of which earlier lines may have used some. */
function splitOf(line: Line, lines: readonly Line[], locationIds: readonly string[]): LinePart[] {
  let before = lines
    .slice(0, lines.indexOf(line))
    .filter(({ stock }) => stock === line.stock)
    .reduce((sum, { quantity }) => sum + quantity, 0n);
  let left = line.quantity;
  const parts: LinePart[] = [];
  for (const locationId of locationIds) {
    const here = line.stock.availableAt(locationId);
    if (here <= 0n) continue;
    const skipped = smaller(here, before);
    before -= skipped;
    const quantity = atMost(left, here - skipped);
    if (quantity === 0n) continue;
    parts.push({ line, locationId, quantity });
    left -= quantity;
  }
  return parts;
}
