import { bothOf, Field, pickOf, plainDecimal, ResourceDto, responseOf, shownOf } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import { CURRENCY } from '../model/field-options.js';
import type { ShownVariant } from '../model/shown-variant.js';
import type { Variant } from '../model/variant.entity.js';

/** Needs no escaping in a path. */
export const SKU = { pattern: '^[A-Za-z0-9][A-Za-z0-9._~+-]{0,63}$', example: 'CHAIR-BLACK' };

export const TEXT = { example: 'Black', maxLength: 100 };

export class VariantPriceDto {
  @Field.string({
    ...CURRENCY,
    example: 'USD',
  })
  currency: string;

  @Field.amount({
    description: 'Price in minor units.',
    example: 12_900,
  })
  price_amount: number;

  @Field.amount({
    description: 'Earlier price, to show.',
    example: 12_900,
    nullable: true,
    required: false,
  })
  compare_at_amount?: number | null;
}

/** The fields of a variant except the SKU. */
export class PutProductVariantDto {
  @Field.string({
    ...TEXT,
    description: 'One per option name.',
    example: ['Black'],
    default: [],
    list: { maxItems: 3, repeats: true },
    required: false,
  })
  option_values?: string[];

  @Field.amount({
    description: 'Price in minor units: 12900 is 129.00 EUR.',
    example: 12_900,
  })
  price_amount: number;

  @Field.string({
    ...CURRENCY,
    description: "ISO 4217 code; that of the product's channels if they agree.",
    inSamples: true,
    required: false,
  })
  currency?: string;

  @Field.object(() => VariantPriceDto, {
    description: 'Prices in further currencies.',
    example: [],
    default: [],
    list: { maxItems: 20 },
    required: false,
  })
  prices?: VariantPriceDto[];

  @Field.uuid({
    description: 'Inventory item that a sale takes; not kept in stock if not set.',
    example: EXAMPLE.item,
    nullable: true,
    required: false,
  })
  inventory_item_id?: string | null;

  @Field.decimal({
    description: 'How much of the item one unit takes.',
    example: '1',
    default: '1',
    sign: 'positive',
    required: false,
  })
  inventory_quantity?: string;

  @Field.boolean({
    description: 'Whether it can be ordered.',
    example: true,
    default: true,
    required: false,
  })
  active?: boolean;
}

export class CreateProductVariantDto extends PutProductVariantDto {
  @Field.string({
    description: 'Unique in the project.',
    example: SKU.example,
    pattern: SKU.pattern,
    maxLength: 64,
  })
  sku: string;
}

/** A variant, as a product shows it. */
export class ShownVariantDto extends shownOf(CreateProductVariantDto, {
  sku: 'Stock keeping unit.',
  option_values: true,
  price_amount: 'Price in minor units.',
  currency: 'ISO 4217 code.',
  prices: true,
  inventory_item_id: 'Inventory item; null: not kept in stock.',
  inventory_quantity: true,
  active: true,
}) {
  @Field.uuid({
    description: 'Id; variant_id of order lines.',
    example: EXAMPLE.variant,
  })
  id: string;

  @Field.integer({
    description: 'Units that can be ordered; null if not kept in stock. Present with expand=availability.',
    example: 12,
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    nullable: true,
    required: false,
  })
  available?: number | null;
}

/** A variant by itself. */
export class ProductVariantDto extends bothOf(
  ResourceDto,
  pickOf(ShownVariantDto, [
    'sku',
    'option_values',
    'price_amount',
    'currency',
    'prices',
    'inventory_item_id',
    'inventory_quantity',
    'active',
  ]),
) {
  @Field.constant('product_variant')
  object: string;

  @Field.uuid({
    description: 'Project of the product.',
    example: EXAMPLE.project,
  })
  project_id: string;

  @Field.uuid({
    description: 'The product.',
    example: EXAMPLE.product,
  })
  product_id: string;

  static from(this: void, row: Variant): ProductVariantDto {
    return { ...responseOf(ProductVariantDto, row), inventory_quantity: plainDecimal(row.inventory_quantity) };
  }
}

export function variantOf(row: Variant): ShownVariant {
  const { id, sku, option_values, price_amount, currency, prices, inventory_item_id, inventory_quantity, active } = row;
  return {
    id,
    sku,
    option_values,
    price_amount,
    currency,
    prices,
    inventory_item_id,
    inventory_quantity: plainDecimal(inventory_quantity),
    active,
  };
}
