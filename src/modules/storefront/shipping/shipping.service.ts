import { Injectable } from '@nestjs/common';
import { CommonErrors, Mails, organizationName, type Ctx, type Tx } from '../../../kit/index.js';
import { StockLocation } from '../../inventory/inventory.public.js';
import { linesNamed, openUnits, fulfilledUnits, writeLines, type LineUnits } from '../changes/line-quantities.js';
import { OrderChanges, requireState } from '../changes/order-changes.js';
import { Fulfillment } from '../model/fulfillment.entity.js';
import type { Order } from '../model/order.entity.js';
import type { ShownFulfillment, ShownLine } from '../model/shown-parts.js';
import { invalid, StorefrontErrors } from '../model/storefront.errors.js';
import type { LineReservation, Tracking } from '../model/values.js';
import { OrderFulfillmentDto, type FulfillOrderDto } from '../order/order-fulfillment.dto.js';
import { OrderEvents } from '../order/orders.events.js';
import { Restocker } from './restocker.js';
import { ShipmentStock, unitsAt } from './shipment-stock.js';
import { shipmentMail } from './shipment-mail.js';

/** Ships orders, and cancels parcels. */
@Injectable()
export class ShippingService {
  constructor(
    private readonly changes: OrderChanges,
    private readonly stock: ShipmentStock,
    private readonly restocker: Restocker,
    private readonly mails: Mails,
  ) {}

  fulfill(ctx: Ctx, id: string, body: FulfillOrderDto): Promise<Order> {
    return this.changes.write(ctx, id, async (tx, locked) => {
      const { order, parts } = locked;
      requireState(order, ['open'], 'shipped');
      const locationId = body.location_id ?? null;
      if (locationId !== null) await requireLocation(tx, order, locationId);
      const units = body.lines ? namedUnits(parts.lines, body.lines) : unitsLeft(parts.lines, locationId);
      const { uses, lines: reserved } = await this.stock.issue(ctx, tx, order, units, locationId);
      const lines = changedLines(parts.lines, units, 1, reserved);
      await writeLines(tx, parts.lines, lines);
      const locations = [...new Set(uses.map(({ location_id }) => location_id))];
      const row = await tx.insert(Fulfillment, {
        project_id: order.project_id,
        order_id: order.id,
        location_id: locations.length === 1 ? locations[0] : null,
        state: 'shipped',
        lines: units.map(({ line, quantity }) => ({ line_id: line.id, quantity })),
        uses,
        tracking: trackingOf(body.tracking),
        created_by: ctx.actor,
      });
      const fulfillment = shownFulfillment(row);
      if ((body.notify ?? true) && order.email !== null)
        await this.mails.send(ctx, tx, shipmentMail(order, lines, fulfillment, await organizationName(tx)));
      return this.changes.apply(tx, locked, {
        trigger: 'fulfill',
        columns: { fulfilled_quantity: fulfilledUnits(lines) },
        parts: { ...parts, lines, fulfillments: [...parts.fulfillments, fulfillment] },
        event: { definition: OrderEvents.fulfillmentChanged, context: { fulfillment: OrderFulfillmentDto.from(fulfillment) } },
      });
    });
  }

  /** Takes the goods of a parcel back into stock and reserves them again. */
  cancelFulfillment(ctx: Ctx, id: string, fulfillmentId: string): Promise<Order> {
    return this.changes.write(ctx, id, async (tx, locked) => {
      const { order, parts } = locked;
      const shown = parts.fulfillments.find((one) => one.id === fulfillmentId);
      if (!shown) throw CommonErrors.notFound();
      requireWhole(shown, parts.lines);
      await this.restocker.takeBackAll(ctx, tx, order, shown.uses);
      const again = await this.stock.reserveAgain(ctx, tx, order, parts.lines, shown.uses);
      const units = shown.lines.map(({ line_id, quantity }) => ({ line: lineOf(parts.lines, line_id), quantity, param: '' }));
      const reserved = new Map(units.map(({ line }) => [line.id, [...line.reservations, ...(again.get(line.id) ?? [])]]));
      const lines = changedLines(parts.lines, units, -1, reserved);
      await writeLines(tx, parts.lines, lines);
      const row = await tx.update(await tx.lock(Fulfillment, shown.id), { state: 'cancelled', cancelled_at: tx.startedAt });
      const fulfillment = shownFulfillment(row);
      return this.changes.apply(tx, locked, {
        trigger: 'cancel_fulfillment',
        columns: { fulfilled_quantity: fulfilledUnits(lines) },
        parts: { ...parts, lines, fulfillments: parts.fulfillments.map((one) => (one.id === shown.id ? fulfillment : one)) },
        event: { definition: OrderEvents.fulfillmentChanged, context: { fulfillment: OrderFulfillmentDto.from(fulfillment) } },
      });
    });
  }
}

function namedUnits(lines: readonly ShownLine[], named: readonly { line_id: string; quantity: number }[]): LineUnits[] {
  const units = linesNamed(lines, named);
  for (const { line, quantity, param } of units)
    if (quantity > openUnits(line))
      throw invalid(`${param}.quantity`, `must be at most ${openUnits(line)}: the units that are neither shipped nor cancelled`);
  return units;
}

/** All that is neither shipped nor cancelled; at a location, what is reserved there, and what is not kept in stock. */
function unitsLeft(lines: readonly ShownLine[], locationId: string | null): LineUnits[] {
  if (lines.every((line) => openUnits(line) === 0))
    throw StorefrontErrors.invalidTransition({ message: 'Nothing is left to ship: all units are shipped or cancelled.' });
  const units = lines.flatMap((line, index) => {
    const quantity = locationId === null ? openUnits(line) : Math.min(openUnits(line), unitsAt(line, locationId));
    return quantity > 0 ? [{ line, quantity, param: `lines.${index}` }] : [];
  });
  if (units.length === 0) throw invalid('location_id', 'must be a location at which goods of the order are reserved');
  return units;
}

async function requireLocation(tx: Tx, { project_id: projectId }: Order, id: string): Promise<void> {
  const message = 'must be a location of the inventory in the same project';
  await tx.reference(StockLocation, id, 'location_id', { projectId, message, lock: 'none' });
}

function changedLines(
  lines: readonly ShownLine[],
  units: readonly LineUnits[],
  direction: 1 | -1,
  reserved: ReadonlyMap<string, LineReservation[]>,
): ShownLine[] {
  return lines.map((line) => {
    const quantity = units.find((one) => one.line.id === line.id)?.quantity;
    if (quantity === undefined) return line;
    return {
      ...line,
      fulfilled_quantity: line.fulfilled_quantity + direction * quantity,
      reservations: reserved.get(line.id) ?? line.reservations,
    };
  });
}

/** Requires a parcel of which nothing was returned yet. */
function requireWhole({ state, uses, lines }: ShownFulfillment, all: readonly ShownLine[]): void {
  if (state === 'cancelled') throw StorefrontErrors.invalidTransition({ message: 'The fulfillment is cancelled already.' });
  if (uses.some(({ returned }) => returned !== '0'))
    throw StorefrontErrors.invalidTransition({
      message: 'Goods of the fulfillment were refunded and are in stock again, so it cannot be cancelled.',
    });
  for (const { line_id, quantity } of lines) {
    const line = lineOf(all, line_id);
    if (line.returned_quantity > line.fulfilled_quantity - quantity)
      throw StorefrontErrors.invalidTransition({ message: 'Goods of the fulfillment were refunded, so it cannot be cancelled.' });
  }
}

function lineOf(lines: readonly ShownLine[], id: string): ShownLine {
  return lines.find((line) => line.id === id) as ShownLine;
}

function trackingOf(tracking: FulfillOrderDto['tracking']): Tracking | null {
  if (!tracking) return null;
  const { carrier = null, number = null, url = null } = tracking;
  return { carrier, number, url };
}

function shownFulfillment(row: Fulfillment): ShownFulfillment {
  const { id, location_id, state, lines, uses, tracking, created_at, cancelled_at } = row;
  return {
    id,
    location_id,
    state,
    lines,
    uses,
    tracking,
    created_at: created_at.toISOString(),
    cancelled_at: cancelled_at?.toISOString() ?? null,
  };
}
