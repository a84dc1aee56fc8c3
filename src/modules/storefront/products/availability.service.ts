import { Injectable } from '@nestjs/common';
import { Store, unitsOf, type Ctx } from '../../../kit/index.js';
import { StockAvailability } from '../../inventory/inventory.public.js';
import { Channel } from '../model/channel.entity.js';
import type { ShownVariant } from '../model/shown-variant.js';
import type { Product } from '../model/product.entity.js';
import { ProductDto } from './product.dto.js';

const PLACES = 6;

/** Adds to products which quantities of their variants can be ordered. */
@Injectable()
export class ProductAvailability {
  constructor(
    private readonly store: Store,
    private readonly stock: StockAvailability,
  ) {}

  /** With `channelId`, only the locations of that channel count, if it names any; otherwise all sellable ones. */
  async mapper(
    ctx: Ctx,
    products: readonly Product[],
    expand: readonly string[] = [],
    channelId?: string,
  ): Promise<(p: Product) => ProductDto> {
    if (!expand.includes('availability')) return (product) => ProductDto.from(product);
    const ids = products.flatMap(({ variants }) => (variants ?? []).flatMap(({ inventory_item_id }) => inventory_item_id ?? []));
    const channel = channelId === undefined ? null : await this.store.find(ctx, Channel, channelId);
    const locations = channel && channel.location_ids.length > 0 ? channel.location_ids : null;
    const available = await this.stock.of(ctx, [...new Set(ids)], locations);
    return (product) =>
      ProductDto.from(
        product,
        (product.variants ?? []).map((variant) => ({ ...variant, available: unitsFrom(variant, available) })),
      );
  }

  async one(ctx: Ctx, product: Product, expand?: readonly string[]): Promise<ProductDto> {
    return (await this.mapper(ctx, [product], expand))(product);
  }
}

function unitsFrom({ inventory_item_id, inventory_quantity }: ShownVariant, available: ReadonlyMap<string, string>): number | null {
  if (inventory_item_id === null) return null;
  const there = unitsOf(available.get(inventory_item_id) ?? '0', PLACES);
  return there <= 0n ? 0 : Number(there / unitsOf(inventory_quantity, PLACES));
}
