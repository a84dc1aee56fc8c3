import { Injectable } from '@nestjs/common';
import { definedOf, Projects, requireCurrency, sql, Store, unitsOf, type Ctx, type Page } from '../../../kit/index.js';
import { Discount } from '../model/discount.entity.js';
import { invalid, missing } from '../model/storefront.errors.js';
import type { CreateDiscountDto, DiscountsQuery, UpdateDiscountDto } from './discounts.dto.js';

const PLACES = 4;

/** Sets up discount codes. */
@Injectable()
export class DiscountsService {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
  ) {}

  get(ctx: Ctx, id: string): Promise<Discount> {
    return this.store.get(ctx, Discount, id);
  }

  page(ctx: Ctx, query: DiscountsQuery): Promise<Page<Discount>> {
    const { code } = query;
    const ofCode = code === undefined ? [] : [sql`lower(t.code) = lower(${code})`];
    return this.store.page(ctx, Discount, query, ...ofCode);
  }

  async create(ctx: Ctx, { project_id, ...body }: CreateDiscountDto): Promise<Discount> {
    requireValue(body);
    requireCurrencyOf(body);
    requireOrder(body);
    const project = await this.projects.resolve(ctx, project_id);
    const { starts_at, ends_at, ...values } = body;
    return this.store.write(ctx, (tx) =>
      tx.insert(Discount, {
        ...values,
        starts_at: timeOf(starts_at),
        ends_at: timeOf(ends_at),
        project_id: project.id,
        created_by: ctx.actor,
      }),
    );
  }

  update(ctx: Ctx, id: string, body: UpdateDiscountDto): Promise<Discount> {
    return this.store.write(ctx, async (tx) => {
      const discount = await tx.target(Discount, id);
      const { starts_at, ends_at, ...values } = definedOf(body);
      const changes: Partial<Discount> = { ...values };
      if (starts_at !== undefined) changes.starts_at = timeOf(starts_at);
      if (ends_at !== undefined) changes.ends_at = timeOf(ends_at);
      const { starts_at: start, ends_at: end, usage_limit } = { ...discount, ...changes };
      requireOrder({ starts_at: start?.toISOString(), ends_at: end?.toISOString() });
      if (values.currency !== undefined && discount.currency !== null && values.currency !== discount.currency)
        throw invalid('currency', `is ${discount.currency} and cannot change: create another code instead`);
      // one from before the rule can be changed otherwise
      if (values.currency !== undefined || values.min_subtotal_amount !== undefined) requireCurrencyOf({ ...discount, ...changes });
      if (usage_limit !== null && usage_limit < discount.used_count)
        throw invalid('usage_limit', `must be at least ${discount.used_count}, as so many orders use the code`);
      return tx.update(discount, changes);
    });
  }

  /** A foreign key rejects deleting a discount that orders use. */
  async delete(ctx: Ctx, id: string): Promise<void> {
    await this.store.write(ctx, async (tx) => tx.delete(await tx.target(Discount, id)));
  }
}

function timeOf(time: string | null | undefined): Date | null {
  return time ? new Date(time) : null;
}

function requireValue({ kind, value, currency }: CreateDiscountDto): void {
  if (kind === 'free_shipping') {
    if (value) throw invalid('value', 'must be left out for free shipping');
    return;
  }
  if (!value) throw missing('value', `is required for the kind ${kind}`);
  if (kind === 'percentage') {
    if (unitsOf(value, PLACES) > unitsOf('100', PLACES)) throw invalid('value', 'must be at most 100 percent');
    return;
  }
  if (!currency) throw missing('currency', 'is required for a fixed amount');
  if (value.includes('.')) throw invalid('value', 'must be a whole number of minor units, such as 12000 for 120.00 EUR or 120 for 120 JPY');
}

/** The same amount is a different limit in each currency. */
function requireCurrencyOf({ currency, min_subtotal_amount }: Pick<CreateDiscountDto, 'currency' | 'min_subtotal_amount'>): void {
  requireCurrency('currency', currency ?? undefined);
  if (min_subtotal_amount && !currency) throw missing('currency', 'is required with min_subtotal_amount');
}

function requireOrder({ starts_at, ends_at }: Pick<CreateDiscountDto, 'starts_at' | 'ends_at'>): void {
  if (starts_at && ends_at && new Date(ends_at) <= new Date(starts_at)) throw invalid('ends_at', 'must be after starts_at');
}
