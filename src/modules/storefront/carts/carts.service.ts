import { Injectable } from '@nestjs/common';
import { changedFrom, invalid, MINUTE_MS, own, Projects, requireNew, sql, Store, table, type Ctx, type Tx } from '../../../kit/index.js';
import { Channel } from '../model/channel.entity.js';
import { OrderChanges, requireState, type LockedOrder } from '../changes/order-changes.js';
import { StorefrontConfig } from '../config/storefront-config.js';
import { countUse, recordUse } from '../discounts/discount-rules.js';
import { OrderLine } from '../model/order-line.entity.js';
import { Order } from '../model/order.entity.js';
import type { PricedLine, ShownLine } from '../model/shown-parts.js';
import { missing, StorefrontErrors } from '../model/storefront.errors.js';
import type { Address, LineReservation } from '../model/values.js';
import type { AddressDto } from '../order/address.dto.js';
import { OrderDto } from '../order/order.dto.js';
import { OrderEvents } from '../order/orders.events.js';
import type { CreateOrderDto, UpdateOrderDto } from '../order/order-requests.dto.js';
import { CartPricing, type Cart, type PricedCart } from './cart-pricing.js';
import { StockReserver } from './stock-reserver.js';

/** The fields that can change once an order is placed. */
const CHANGEABLE = ['email', 'note', 'shipping_address', 'billing_address'];
const UNTOUCHED = {
  cancelled_amount: 0,
  returned_amount: 0,
  paid_amount: 0,
  refunded_amount: 0,
  shipping_cancelled_amount: 0,
  shipping_refunded_amount: 0,
  shipping_returned_amount: 0,
  shipping_refund_due_amount: 0,
  cancelled_quantity: 0,
  fulfilled_quantity: 0,
} as const;

/** The columns that placing an order sets. */
interface Placement {
  email: string;
  columns: Pick<Order, 'number' | 'state' | 'placed_at' | 'pay_by_at'>;
  /** By line. */
  reservations: LineReservation[][];
}

/** Creates and changes carts, and places them. */
@Injectable()
export class CartsService {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly config: StorefrontConfig,
    private readonly pricing: CartPricing,
    private readonly changes: OrderChanges,
    private readonly stock: StockReserver,
  ) {}

  create(ctx: Ctx, body: CreateOrderDto): Promise<Order> {
    return this.store.write(ctx, (tx) => this.createIn(ctx, tx, body));
  }

  async createIn(ctx: Ctx, tx: Tx, { project_id, place = false, ...body }: CreateOrderDto): Promise<Order> {
    const project = await this.projects.resolve(ctx, project_id, [Channel, body.channel_id]);
    await requireNew(tx, Order, project.id, 'external_id', body.external_id);
    const shipping_address = addressOf(body.shipping_address) ?? null;
    const cart: Cart = {
      project_id: project.id,
      channel_id: body.channel_id,
      lines: body.lines,
      discount_code: body.discount_code ?? null,
      shipping_method_id: body.shipping_method_id ?? null,
      shipping_address,
    };
    const priced = await this.pricing.price(tx, cart);
    const values: Partial<Order> = {
      project_id: project.id,
      channel_id: body.channel_id,
      state: 'draft',
      email: body.email ?? null,
      name: body.name ?? null,
      shipping_address,
      billing_address: addressOf(body.billing_address) ?? null,
      note: body.note ?? null,
      external_id: body.external_id ?? null,
      ...priced.columns,
      ...UNTOUCHED,
      created_by: ctx.actor,
    };
    const placement = place ? await this.prepare(ctx, tx, { ...cart, email: values.email ?? null }, priced) : null;
    const order = await tx.insert(Order, { ...values, ...placement?.columns });
    const lines = await insertLines(tx, order, priced.lines, placement?.reservations);
    if (placement && order.discount_id !== null) await recordUse(tx, order, order.discount_id, placement.email);
    Object.assign(order, { lines });
    tx.emit(OrderEvents.created, { object: OrderDto.from(order), projectId: order.project_id });
    if (placement) this.changes.announcePlaced(tx, order);
    return order;
  }

  update(ctx: Ctx, id: string, body: UpdateOrderDto): Promise<Order> {
    return this.changes.write(ctx, id, async (tx, locked) => {
      const { order } = locked;
      if (body.external_id !== order.external_id) await requireNew(tx, Order, order.project_id, 'external_id', body.external_id);
      const { lines: given, discount_code, shipping_method_id, shipping_address, billing_address, ...plain } = body;
      const columns: Partial<Order> = {
        ...plain,
        shipping_address: addressOf(shipping_address),
        billing_address: addressOf(billing_address),
      };
      if (order.state !== 'draft') {
        const { channels } = await this.config.of(tx, order.project_id);
        requireChangeable(order, body, channels.find(({ id }) => id === order.channel_id)?.country);
        return this.finishUpdate(tx, locked, columns, locked.parts.lines);
      }
      const priced = await this.pricing.price(tx, {
        ...cartOf(order, locked.parts.lines),
        ...(given === undefined ? {} : { lines: given }),
        ...(discount_code === undefined ? {} : { discount_code }),
        ...(shipping_method_id === undefined ? {} : { shipping_method_id }),
        ...(shipping_address === undefined ? {} : { shipping_address: columns.shipping_address ?? null }),
      });
      const lines = await replaceLines(tx, order, locked.parts.lines, priced.lines);
      return this.finishUpdate(tx, locked, { ...columns, ...priced.columns }, lines);
    });
  }

  place(ctx: Ctx, id: string, expectedTotal?: number): Promise<Order> {
    return this.changes.write(ctx, id, async (tx, locked) => {
      requireState(locked.order, ['draft'], 'placed');
      const priced = await this.pricing.price(tx, cartOf(locked.order, locked.parts.lines));
      requireTotal(priced, expectedTotal);
      return this.placePriced(ctx, tx, locked, priced);
    });
  }

  private async placePriced(ctx: Ctx, tx: Tx, locked: LockedOrder, priced: PricedCart): Promise<Order> {
    const { order, parts } = locked;
    const { email, columns, reservations } = await this.prepare(ctx, tx, order, priced);
    const placed = parts.lines.map((line, index) => ({ ...line, ...priced.lines[index], reservations: reservations[index] }));
    await placeLines(tx, placed);
    if (priced.discount) await recordUse(tx, order, priced.discount.id, email);
    return this.changes.apply(tx, locked, {
      trigger: 'place',
      columns: { ...priced.columns, ...columns },
      parts: { ...parts, lines: placed },
    });
  }

  /** Counts the discount, takes a number and reserves the stock of an order that is to be placed. */
  private async prepare(
    ctx: Ctx,
    tx: Tx,
    { project_id, email, shipping_method_id }: Pick<Order, 'project_id' | 'email' | 'shipping_method_id'>,
    { channel, discount, columns, lines }: PricedCart,
  ): Promise<Placement> {
    if (email === null) throw missing('email', 'is required to place an order');
    if (shipping_method_id === null && lines.some(({ item_id }) => item_id !== null))
      throw missing('shipping_method_id', 'is required to place an order of goods that are kept in stock');
    if (discount) await countUse(tx, discount, email);
    const number = `${ctx.mode === 'test' ? 'TEST-' : ''}O-${await tx.next('storefront order', project_id)}`;
    const reservations = await this.stock.reserve(ctx, tx, { project_id, number, channel, lines });
    const { payment_window_minutes: minutes } = channel;
    const pay_by_at = minutes === null || columns.total_amount === 0 ? null : new Date(tx.startedAt.getTime() + minutes * MINUTE_MS);
    return { email, reservations, columns: { number, state: 'open', placed_at: tx.startedAt, pay_by_at } };
  }

  private async finishUpdate(tx: Tx, { order, parts, before }: LockedOrder, columns: Partial<Order>, lines: ShownLine[]): Promise<Order> {
    const changed = lines === parts.lines ? await tx.update(order, columns) : await tx.advanced.touch(order, columns);
    const shown = { ...parts, lines };
    if (changed.version !== order.version) {
      const object = OrderDto.from(changed, shown);
      tx.emit(OrderEvents.updated, { object, previous: changedFrom(before, object), projectId: order.project_id });
    }
    return Object.assign(changed, shown);
  }
}

function cartOf(order: Order, lines: readonly ShownLine[]): Cart {
  const { project_id, channel_id, discount_code, shipping_method_id, shipping_address } = order;
  return { project_id, channel_id, lines, discount_code, shipping_method_id, shipping_address };
}

/** All fields, so that a replaced address keeps none of the one before; undefined if none was sent. */
function addressOf(given: AddressDto | null | undefined): Address | null | undefined {
  if (!given) return given;
  const { name = null, line1 = null, line2 = null, postal_code = null, city = null, region = null, country } = given;
  return { name, line1, line2, postal_code, city, region, country };
}

function requireTotal({ columns }: PricedCart, expected: number | undefined): void {
  if (expected === undefined || expected === columns.total_amount) return;
  const { subtotal_amount, discount_amount, shipping_amount, tax_amount, total_amount } = columns;
  throw StorefrontErrors.totalsChanged({
    param: 'expected_total_amount',
    message: `The total is ${total_amount}, not ${expected}; show the buyer these totals, and place the order with the new one.`,
    extra: { totals: { subtotal_amount, discount_amount, shipping_amount, tax_amount, total_amount } },
  });
}

/** `country` is that of the channel, whose tax an order without a shipping address has. */
function requireChangeable(order: Order, body: UpdateOrderDto, country: string | undefined): void {
  const param = Object.entries(body).find(([name, value]) => value !== undefined && !CHANGEABLE.includes(name))?.[0];
  if (param !== undefined)
    throw StorefrontErrors.invalidTransition({
      param,
      message: `${param} is fixed once the order is placed; only ${CHANGEABLE.join(', ')} can change. Cancel it and create another order.`,
      extra: { state: order.state },
    });
  if (body.email === null) throw invalid('email', 'must not be null, because the order is placed');
  const taxedIn = (address: { country: string } | null) => address?.country ?? country;
  const { shipping_address: address } = body;
  if (address !== undefined && taxedIn(address) !== taxedIn(order.shipping_address))
    throw StorefrontErrors.invalidTransition({
      param: 'shipping_address.country',
      message: 'shipping_address.country is fixed once the order is placed, because it decides the tax.',
      extra: { state: order.state },
    });
}

const NEW_LINE = {
  fulfilled_quantity: 0,
  cancelled_quantity: 0,
  refunded_quantity: 0,
  returned_quantity: 0,
  refund_due_quantity: 0,
  cancelled_amount: 0,
  refunded_amount: 0,
  returned_amount: 0,
  refund_due_amount: 0,
};

/** With `reservations` the order is placed. */
async function insertLines(
  tx: Tx,
  order: Order,
  lines: readonly PricedLine[],
  reservations?: readonly LineReservation[][],
): Promise<ShownLine[]> {
  const rows: OrderLine[] = [];
  for (const [index, line] of lines.entries()) {
    const place = { project_id: order.project_id, order_id: order.id, position: index + 1 };
    const values = { ...line, ...NEW_LINE, ...place, placed: reservations !== undefined, reservations: reservations?.[index] ?? [] };
    rows.push(await tx.advanced.pipelined.insert(OrderLine, values));
  }
  return rows;
}

/** Replaces the lines; returns the same array if nothing differs. */
async function replaceLines(tx: Tx, order: Order, before: ShownLine[], lines: readonly PricedLine[]): Promise<ShownLine[]> {
  const isSame =
    before.length === lines.length &&
    lines.every((line, index) =>
      Object.entries(line).every(([name, value]) => JSON.stringify(value) === JSON.stringify(before[index][name as keyof ShownLine])),
    );
  if (isSame) return before;
  tx.advanced.pipelined.sql(sql`DELETE FROM ${table(OrderLine)} l WHERE ${own('l')} AND l.order_id = ${order.id}`);
  return insertLines(tx, order, lines);
}

/** Prices may have changed since the draft was written. */
async function placeLines(tx: Tx, lines: readonly ShownLine[]): Promise<void> {
  await tx.sql(
    sql`UPDATE ${table(OrderLine)} l SET sku = n.sku, title = n.title, option_values = n.option_values, unit_amount = n.unit_amount,
        subtotal_amount = n.subtotal_amount, discount_amount = n.discount_amount, tax_amount = n.tax_amount, total_amount = n.total_amount,
        tax_code = n.tax_code, tax_rate = n.tax_rate, item_id = n.item_id, item_quantity = n.item_quantity, reservations = n.reservations,
        placed = true, version = l.version + 1, updated_at = now()
      FROM jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) AS n (id uuid, sku text, title text, option_values text[],
        unit_amount bigint, subtotal_amount bigint, discount_amount bigint, tax_amount bigint, total_amount bigint,
        tax_code text, tax_rate numeric,
        item_id uuid, item_quantity numeric, reservations jsonb)
      WHERE ${own('l')} AND l.id = n.id`,
  );
}
