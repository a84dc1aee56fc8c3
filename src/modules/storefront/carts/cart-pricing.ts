import { Injectable } from '@nestjs/common';
import { AmountTooLarge, notOfProject, own, plainDecimal, sql, table, type Tx } from '../../../kit/index.js';
import {
  requireChannel,
  requireShippingMethod,
  requireTaxRate,
  StorefrontConfig,
  type ProjectStorefront,
} from '../config/storefront-config.js';
import { findDiscount, requireApplicable } from '../discounts/discount-rules.js';
import type { Channel } from '../model/channel.entity.js';
import type { Discount } from '../model/discount.entity.js';
import type { Order } from '../model/order.entity.js';
import { Product } from '../model/product.entity.js';
import type { ShippingMethod } from '../model/shipping-method.entity.js';
import type { PricedLine } from '../model/shown-parts.js';
import type { ShownVariant } from '../model/shown-variant.js';
import { invalid, StorefrontErrors } from '../model/storefront.errors.js';
import { Variant } from '../model/variant.entity.js';
import type { Address, ProductStatus } from '../model/values.js';
import { priceOrder, type Pricing, type Rate } from '../pricing/price-order.js';

/** The fields that determine the price of an order. */
export interface Cart {
  project_id: string;
  channel_id: string;
  lines: readonly { variant_id: string; quantity: number }[];
  discount_code: string | null;
  shipping_method_id: string | null;
  shipping_address: Address | null;
}

/** A variant with the fields of its product that an order needs. */
interface Offer extends ShownVariant {
  title: string;
  status: ProductStatus;
  channel_ids: string[] | null;
  tax_class: string;
}

type PricedColumns = Pick<
  Order,
  | 'currency'
  | 'prices_include_tax'
  | 'discount_id'
  | 'discount_code'
  | 'shipping_method_id'
  | 'shipping_name'
  | 'shipping_tax_code'
  | 'shipping_tax_rate'
  | 'subtotal_amount'
  | 'discount_amount'
  | 'shipping_amount'
  | 'tax_amount'
  | 'total_amount'
  | 'shipping_tax_amount'
  | 'shipping_total_amount'
  | 'taxes'
  | 'ordered_quantity'
>;

export interface PricedCart {
  channel: Channel;
  discount: Discount | null;
  columns: PricedColumns;
  lines: PricedLine[];
}

interface Decision {
  channel: Channel;
  method: ShippingMethod | null;
  shippingTax: Rate | null;
  units: number[];
  taxes: Rate[];
  pricing: Pricing;
}

/** Prices carts by the current products and configuration. */
@Injectable()
export class CartPricing {
  constructor(private readonly config: StorefrontConfig) {}

  /**
   * Errors: 400 `validation_failed` for a variant that the channel does not sell, a shipping method that does not fit, or amounts that are
   * too large; 409 `price_missing`, `tax_rate_missing`, `discount_refused`.
   */
  async price(tx: Tx, cart: Cart): Promise<PricedCart> {
    const offers = await offersOf(tx, cart);
    const discount = cart.discount_code === null ? null : await findDiscount(tx, cart.project_id, cart.discount_code);
    const decision = await this.config.decide(tx, cart.project_id, (config) => decide(config, cart, offers, discount));
    if (discount) requireApplicable(discount, { currency: decision.channel.currency, subtotal: decision.pricing.subtotal }, tx.startedAt);
    return { channel: decision.channel, discount, columns: columnsOf(decision, discount, cart), lines: linesOf(decision, cart, offers) };
  }
}

async function offersOf(tx: Tx, cart: Cart): Promise<Offer[]> {
  const ids = [...new Set(cart.lines.map(({ variant_id }) => variant_id))];
  const rows = await tx.sql<Offer>(
    sql`SELECT v.id, v.sku, v.option_values, v.price_amount, v.currency, v.prices, v.inventory_item_id,
        v.inventory_quantity::text AS inventory_quantity, v.active, p.title, p.status, p.channel_ids, p.tax_class
      FROM ${table(Variant)} v JOIN ${table(Product)} p ON p.id = v.product_id
      WHERE v.id = ANY(${ids}) AND ${own('v')} AND v.project_id = ${cart.project_id}`,
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return cart.lines.map(({ variant_id }, index) => {
    const offer = byId.get(variant_id);
    if (!offer) throw notOfProject(`lines.${index}.variant_id`, 'must be a variant of a product of the project');
    return offer;
  });
}

function decide(config: ProjectStorefront, cart: Cart, offers: readonly Offer[], discount: Discount | null): Decision {
  const channel = requireChannel(config, cart.channel_id);
  for (const [index, { active, status, channel_ids, sku }] of offers.entries()) {
    const isSold = active && status === 'active' && (channel_ids === null || channel_ids.includes(channel.id));
    if (!isSold) throw invalid(`lines.${index}.variant_id`, `must be sold in the channel, and ${sku} is not: look at its product`);
  }
  const units = requirePrices(offers, channel);
  const country = cart.shipping_address?.country ?? channel.country;
  const method =
    cart.shipping_method_id === null ? null : requireShippingMethod(config, cart.shipping_method_id, channel.currency, country);
  const taxes = offers.map(({ tax_class }, index) => requireTaxRate(config, country, tax_class, `lines.${index}.variant_id`));
  const shipping = method && { amount: method.price_amount, tax: requireTaxRate(config, country, method.tax_class, 'shipping_method_id') };
  const lines = cart.lines.map(({ quantity }, index) => ({ unitAmount: units[index], quantity, tax: taxes[index] }));
  try {
    const pricing = priceOrder({ includesTax: channel.prices_include_tax, lines, discount, shipping });
    return { channel, method, shippingTax: shipping?.tax ?? null, units, taxes, pricing };
  } catch (error) {
    if (error instanceof AmountTooLarge) throw invalid('lines', `must add up to at most ${Number.MAX_SAFE_INTEGER} minor units`);
    throw error;
  }
}

function requirePrices(offers: readonly Offer[], { currency }: Channel): number[] {
  const prices = offers.map((offer) =>
    offer.currency === currency ? offer.price_amount : offer.prices.find((price) => price.currency === currency)?.price_amount,
  );
  const details = offers.flatMap(({ sku }, index) => {
    const param = `lines.${index}.variant_id`;
    return prices[index] === undefined ? [{ param, code: 'price_missing', message: `${sku} has no price in ${currency}` }] : [];
  });
  if (details.length > 0)
    throw StorefrontErrors.priceMissing({
      param: details[0].param,
      message: `${details[0].message}; add one with put_product_variant, or leave the line out.`,
      details,
      extra: { currency },
    });
  return prices as number[];
}

function columnsOf({ channel, method, shippingTax, pricing }: Decision, discount: Discount | null, cart: Cart): PricedColumns {
  const { code, rate } = shippingTax ?? { code: null, rate: null };
  return {
    currency: channel.currency,
    prices_include_tax: channel.prices_include_tax,
    discount_id: discount?.id ?? null,
    discount_code: discount?.code ?? null,
    shipping_method_id: method?.id ?? null,
    shipping_name: method?.name ?? null,
    shipping_tax_code: code,
    shipping_tax_rate: rate,
    subtotal_amount: pricing.subtotal,
    discount_amount: pricing.discount,
    shipping_amount: pricing.shipping.subtotal,
    tax_amount: pricing.tax,
    total_amount: pricing.total,
    shipping_tax_amount: pricing.shipping.tax,
    shipping_total_amount: pricing.shipping.total,
    taxes: pricing.taxes,
    ordered_quantity: cart.lines.reduce((sum, { quantity }) => sum + quantity, 0),
  };
}

function linesOf({ units, taxes, pricing }: Decision, cart: Cart, offers: readonly Offer[]): PricedLine[] {
  return offers.map((offer, index) => ({
    variant_id: offer.id,
    sku: offer.sku,
    title: offer.title,
    option_values: offer.option_values,
    quantity: cart.lines[index].quantity,
    unit_amount: units[index],
    subtotal_amount: pricing.lines[index].subtotal,
    discount_amount: pricing.lines[index].discount,
    tax_amount: pricing.lines[index].tax,
    total_amount: pricing.lines[index].total,
    tax_code: taxes[index].code,
    tax_rate: taxes[index].rate,
    item_id: offer.inventory_item_id,
    item_quantity: plainDecimal(offer.inventory_quantity),
  }));
}
