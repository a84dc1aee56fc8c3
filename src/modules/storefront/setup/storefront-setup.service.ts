import { Injectable, type Type } from '@nestjs/common';
import {
  CommonErrors,
  own,
  Projects,
  requireCurrency,
  requireRoom,
  sql,
  Store,
  table,
  unitsOf,
  type Ctx,
  type Tx,
} from '../../../kit/index.js';
import { StorefrontConfig } from '../config/storefront-config.js';
import type { CreateProductCategoryDto } from '../lookups/product-categories.dto.js';
import type { CreateSalesChannelDto } from '../lookups/sales-channels.dto.js';
import type { CreateShippingMethodDto } from '../lookups/shipping-methods.dto.js';
import type { CreateStorefrontTaxRateDto, UpdateStorefrontTaxRateDto } from '../lookups/tax-rates.dto.js';
import { Category } from '../model/category.entity.js';
import { Channel } from '../model/channel.entity.js';
import { OrderLine } from '../model/order-line.entity.js';
import { Order } from '../model/order.entity.js';
import { Product } from '../model/product.entity.js';
import { ShippingMethod } from '../model/shipping-method.entity.js';
import { invalid } from '../model/storefront.errors.js';
import { TaxRate } from '../model/tax-rate.entity.js';
import { STANDARD_TAX_CLASS } from '../model/values.js';

type Configured = Channel | Category | ShippingMethod | TaxRate;

/** The most rows of each kind, because placing an order reads the whole configuration of its project. */
const MOST = new Map<Type<Configured>, [count: number, what: string]>([
  [Channel, [50, 'channels']],
  [Category, [1_000, 'categories']],
  [ShippingMethod, [200, 'shipping methods']],
  [TaxRate, [1_000, 'tax rates']],
]);

/**
 * What a tax rate is needed for, in both modes: orders that have it, and products and shipping methods of its class if a channel sells to
 * the country by default or a shipping method names it.
 */
const taxRateUse = ({ project_id, country, tax_class, code }: TaxRate) => sql.inBothModes('whether sales of either mode need a tax rate')`
  SELECT CASE
    WHEN EXISTS (SELECT FROM ${table(OrderLine)} l JOIN ${table(Order)} o ON o.id = l.order_id
      JOIN ${table(Channel)} c ON c.id = o.channel_id
      WHERE ${own('l')} AND l.project_id = ${project_id} AND l.tax_code = ${code}
        AND COALESCE(o.shipping_address ->> 'country', c.country) = ${country})
      OR EXISTS (SELECT FROM ${table(Order)} o JOIN ${table(Channel)} c ON c.id = o.channel_id
        WHERE ${own('o')} AND o.project_id = ${project_id} AND o.shipping_tax_code = ${code}
          AND COALESCE(o.shipping_address ->> 'country', c.country) = ${country})
      THEN 'Orders have it'
    WHEN EXISTS (SELECT FROM ${table(ShippingMethod)} m
      WHERE ${own('m')} AND m.project_id = ${project_id} AND m.tax_class = ${tax_class} AND (m.countries @> ARRAY[${country}]
        OR m.countries = '{}' AND EXISTS (
          SELECT FROM ${table(Channel)} c WHERE ${own('c')} AND c.project_id = ${project_id} AND c.country = ${country})))
      THEN 'Shipping methods of its class need it'
    WHEN EXISTS (SELECT FROM ${table(Product)} p WHERE ${own('p')} AND p.project_id = ${project_id} AND p.tax_class = ${tax_class})
      AND (EXISTS (SELECT FROM ${table(Channel)} c WHERE ${own('c')} AND c.project_id = ${project_id} AND c.country = ${country})
        OR EXISTS (SELECT FROM ${table(ShippingMethod)} m
          WHERE ${own('m')} AND m.project_id = ${project_id} AND m.countries @> ARRAY[${country}]))
      THEN 'Products of its class need it'
  END AS used`;

/** Changes the configuration of projects. Changes of one project run one after the other. */
@Injectable()
export class StorefrontSetup {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly config: StorefrontConfig,
  ) {}

  createChannel(ctx: Ctx, body: CreateSalesChannelDto): Promise<Channel> {
    requireCurrency('currency', body.currency);
    return this.create(ctx, Channel, body, () => ({ ...body }));
  }

  createCategory(ctx: Ctx, body: CreateProductCategoryDto): Promise<Category> {
    return this.create(ctx, Category, body, (others) => ({ ...body, position: body.position ?? nextPosition(others) }));
  }

  createShippingMethod(ctx: Ctx, body: CreateShippingMethodDto): Promise<ShippingMethod> {
    requireCurrency('currency', body.currency);
    return this.create(ctx, ShippingMethod, body, (others) => ({
      ...body,
      tax_class: body.tax_class ?? STANDARD_TAX_CLASS,
      position: body.position ?? nextPosition(others),
    }));
  }

  createTaxRate(ctx: Ctx, body: CreateStorefrontTaxRateDto): Promise<TaxRate> {
    requirePercent(body.rate);
    return this.create(ctx, TaxRate, body, () => ({ ...body, tax_class: body.tax_class ?? STANDARD_TAX_CLASS }));
  }

  async updateTaxRate(ctx: Ctx, id: string, body: UpdateStorefrontTaxRateDto): Promise<TaxRate> {
    requirePercent(body.rate);
    const { project_id } = await this.store.get(ctx, TaxRate, id);
    return this.config.change(ctx, project_id, async (tx) => {
      const before = await tx.target(TaxRate, id);
      const { country = before.country, tax_class = before.tax_class } = body;
      // its present country and class would be left without a rate
      if (country !== before.country || tax_class !== before.tax_class) await requireUnused(tx, before);
      return tx.update(before, body);
    });
  }

  async update<E extends Configured>(ctx: Ctx, entity: Type<E>, id: string, body: Partial<E> & { currency?: string }): Promise<E> {
    requireCurrency('currency', body.currency);
    const { project_id } = await this.store.get(ctx, entity, id);
    return this.config.change(ctx, project_id, async (tx) => tx.update(await tx.target(entity, id), body));
  }

  /** Foreign keys and triggers reject deleting rows to which products and orders refer by id. */
  async delete(ctx: Ctx, entity: Type<Configured>, id: string): Promise<void> {
    const { project_id } = await this.store.get(ctx, entity, id);
    await this.config.change(ctx, project_id, async (tx) => {
      const row = await tx.target(entity, id);
      if (row instanceof TaxRate) await requireUnused(tx, row);
      await tx.delete(row);
    });
  }

  private async create<E extends Configured>(
    ctx: Ctx,
    entity: Type<E>,
    body: { project_id?: string },
    valuesOf: (others: E[]) => object,
  ): Promise<E> {
    const project = await this.projects.resolve(ctx, body.project_id);
    return this.config.change(ctx, project.id, async (tx: Tx) => {
      const others = (await tx.list(entity as Type<Configured>, { project_id: project.id })) as E[];
      requireRoom(others, ...(MOST.get(entity) as [number, string]));
      return tx.insert(entity, { ...valuesOf(others), project_id: project.id } as Partial<E>);
    });
  }
}

function nextPosition(others: readonly { position: number }[]): number {
  return Math.min(10_000, Math.max(0, ...others.map(({ position }) => position)) + 1);
}

async function requireUnused(tx: Tx, rate: TaxRate): Promise<void> {
  const [{ used }] = await tx.sql<{ used: string | null }>(taxRateUse(rate));
  if (used)
    throw CommonErrors.resourceConflict({
      message: `${used}, so it cannot be deleted or moved to another country or class; change its rate.`,
    });
}

function requirePercent(rate: string | undefined): void {
  if (rate !== undefined && unitsOf(rate, 4) > unitsOf('100', 4)) throw invalid('rate', 'must be at most 100');
}
