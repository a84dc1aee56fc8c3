import { Injectable } from '@nestjs/common';
import { type Ctx, type DomainError, type Tx } from '../../../kit/index.js';
import { StockMovements, StockReservation, StockReservations } from '../../inventory/inventory.public.js';
import type { LineUnits } from '../changes/line-quantities.js';
import { decimal, exact, itemQuantity } from '../model/item-quantities.js';
import type { Order } from '../model/order.entity.js';
import type { ShownLine, StockUse } from '../model/shown-parts.js';
import { invalid, StorefrontErrors } from '../model/storefront.errors.js';
import type { LineReservation } from '../model/values.js';

/** A quantity of an item that is issued or released at one location. */
interface Part {
  line: ShownLine;
  param: string;
  reservation: LineReservation;
  quantity: bigint;
}

/** Issues, reserves and releases stock for orders. */
@Injectable()
export class ShipmentStock {
  constructor(
    private readonly reservations: StockReservations,
    private readonly movements: StockMovements,
  ) {}

  /** Issues the stock reserved for the units, at one location if given. Returns the uses, and the lines without them. */
  async issue(
    ctx: Ctx,
    tx: Tx,
    order: Order,
    units: readonly LineUnits[],
    locationId: string | null,
  ): Promise<{ uses: StockUse[]; lines: Map<string, LineReservation[]> }> {
    const parts = partsOf(units, locationId);
    if (parts.length === 0) return { uses: [], lines: new Map() };
    const reference = order.number as string;
    const open = await openQuantities(tx, parts);
    const kept: (Part & { reserved: bigint })[] = parts.map((part) => ({ ...part, reserved: taken(open, part) }));
    const consumed = kept.filter(({ reserved }) => reserved > 0n);
    const issued = await this.reservations.consume(
      ctx,
      tx,
      consumed.map(({ reservation, reserved, param }) => ({ reservation_id: reservation.id, quantity: decimal(reserved), param })),
      { reference },
    );
    // if the reservation was released in the inventory, the goods are issued as long as there is stock
    const lost = kept.filter(({ quantity, reserved }) => reserved < quantity);
    const more = await this.movements.issue(
      ctx,
      tx,
      lost.map(({ line, reservation, quantity, reserved, param }) => ({
        item_id: line.item_id as string,
        location_id: reservation.location_id,
        quantity: decimal(quantity - reserved),
        param,
      })),
      { reference },
    );
    const use = ({ line, reservation }: Part, quantity: bigint, movement: { id: string }): StockUse => ({
      line_id: line.id,
      location_id: reservation.location_id,
      quantity: decimal(quantity),
      movement_id: movement.id,
      returned: '0',
    });
    const uses = [
      ...consumed.map((part, index) => use(part, part.reserved, issued[index])),
      ...lost.map((part, index) => use(part, part.quantity - part.reserved, more[index])),
    ];
    return { uses, lines: withoutParts(units, parts) };
  }

  /** Releases the stock reserved for the units. Items are locked in the order of their ids, so that two orders cannot deadlock. */
  async release(ctx: Ctx, tx: Tx, units: readonly LineUnits[]): Promise<Map<string, LineReservation[]>> {
    const parts = partsOf(units, null, true);
    const open = await openQuantities(tx, parts);
    const byItem = parts.toSorted((a, b) => (itemOf(a) < itemOf(b) ? -1 : itemOf(a) > itemOf(b) ? 1 : 0));
    for (const part of byItem) {
      const quantity = taken(open, part);
      if (quantity > 0n) await this.reservations.shorten(ctx, tx, part.reservation.id, decimal(quantity), `${part.param}.quantity`);
    }
    return withoutParts(units, parts);
  }

  /** Reserves returned stock again. No field of a request asks for it, so errors name the line of the order at most. */
  async reserveAgain(
    ctx: Ctx,
    tx: Tx,
    order: Order,
    lines: readonly ShownLine[],
    uses: readonly StockUse[],
  ): Promise<Map<string, LineReservation[]>> {
    const reserved = new Map<string, LineReservation[]>();
    if (uses.length === 0) return reserved;
    const used = uses.map(({ line_id }) => {
      const index = lines.findIndex(({ id }) => id === line_id);
      return { line: lines[index], index };
    });
    const made = await this.reservations.reserve(ctx, tx, {
      project_id: order.project_id,
      lines: used.map(({ line, index }, use) => ({ item_id: itemOf({ line }), quantity: uses[use].quantity, param: `lines.${index}` })),
      unusable: {
        item: (use) => notAgain(`the item of ${used[use].line.sku}`),
        location: () => notAgain('a location where they were'),
      },
      location_ids: [...new Set(uses.map(({ location_id }) => location_id))],
      split: true,
      reference: order.number as string,
      expires_at: null,
    });
    for (const { line, reservation } of made) {
      const id = uses[line].line_id;
      const quantity = decimal(exact(reservation.quantity));
      reserved.set(id, [...(reserved.get(id) ?? []), { id: reservation.id, location_id: reservation.location_id, quantity }]);
    }
    return reserved;
  }
}

/** Whole units of a line that are reserved at a location; all units of one that is not kept in stock. */
export function unitsAt({ item_id, item_quantity, quantity, reservations }: ShownLine, locationId: string): number {
  if (item_id === null) return quantity;
  const reserved = reservations.filter(({ location_id }) => location_id === locationId).map((one) => exact(one.quantity));
  return Number(reserved.reduce((sum, one) => sum + one, 0n) / exact(item_quantity));
}

function notAgain(what: string): DomainError {
  return StorefrontErrors.invalidTransition({
    message: `The goods cannot be reserved again, because ${what} is no longer active in the inventory; activate it first.`,
  });
}

function itemOf({ line }: Pick<Part, 'line'>): string {
  return line.item_id as string;
}

/** The parts of reservations that the units use, in order; in reverse order for a release. */
function partsOf(units: readonly LineUnits[], locationId: string | null, lastFirst = false): Part[] {
  return units.flatMap(({ line, quantity, param }) => {
    if (line.item_id === null) return [];
    const usable = line.reservations.filter((one) => locationId === null || one.location_id === locationId);
    let left = exact(itemQuantity(line.item_quantity, quantity));
    const parts: Part[] = [];
    for (const reservation of lastFirst ? usable.toReversed() : usable) {
      const there = exact(reservation.quantity);
      const part = there < left ? there : left;
      if (part === 0n) continue;
      parts.push({ line, param, reservation, quantity: part });
      left -= part;
    }
    if (left > 0n) throw invalid(`${param}.quantity`, 'must not exceed what is reserved for the line at the location');
    return parts;
  });
}

/** The open quantities of the reservations; 0 for a released one. */
async function openQuantities(tx: Tx, parts: readonly Part[]): Promise<Map<string, bigint>> {
  const rows = await tx.list(StockReservation, { id: parts.map(({ reservation }) => reservation.id), status: 'active' });
  return new Map(rows.map((row) => [row.id, exact(row.quantity) - exact(row.consumed_quantity)]));
}

function taken(open: Map<string, bigint>, { reservation: { id }, quantity }: Part): bigint {
  const there = open.get(id) ?? 0n;
  const part = there < quantity ? there : quantity;
  open.set(id, there - part);
  return part;
}

function withoutParts(units: readonly LineUnits[], parts: readonly Part[]): Map<string, LineReservation[]> {
  return new Map(
    units.map(({ line }) => [
      line.id,
      line.reservations.flatMap((reservation) => {
        const used = parts.find((part) => part.reservation === reservation)?.quantity ?? 0n;
        const left = exact(reservation.quantity) - used;
        return left > 0n ? [{ ...reservation, quantity: decimal(left) }] : [];
      }),
    ]),
  );
}
