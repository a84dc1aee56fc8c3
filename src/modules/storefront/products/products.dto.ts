import type { Type } from '@nestjs/common';
import {
  ActorDto,
  bothOf,
  Expand,
  Field,
  Filter,
  Listing,
  ListQuery,
  partialOf,
  pickOf,
  plainDecimal,
  ResourceDto,
} from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import type { Product } from '../model/product.entity.js';
import type { ShownVariant } from '../model/shown-variant.js';
import { PRODUCT_STATUSES, STANDARD_TAX_CLASS, type ProductStatus } from '../model/values.js';
import type { Variant } from '../model/variant.entity.js';

/** Needs no escaping in a path. */
export const SKU = { pattern: '^[A-Za-z0-9][A-Za-z0-9._~+-]{0,63}$', example: 'CHAIR-BLACK' };

const AMOUNT = { example: 12_900, minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
const CURRENCY = { description: 'ISO 4217 code.', example: 'USD', pattern: '^[A-Z]{3}$', maxLength: 3, minLength: 3 };
const TEXT = { example: 'Black', maxLength: 100 };

export class VariantPriceDto {
  @Field.string(CURRENCY)
  currency: string;

  @Field.integer({
    ...AMOUNT,
    description: 'Price in minor units.',
  })
  price_amount: number;

  @Field.integer({
    ...AMOUNT,
    description: 'Earlier price, to show.',
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

  @Field.integer({
    ...AMOUNT,
    description: 'Price in minor units: 12900 is 129.00 EUR.',
  })
  price_amount: number;

  @Field.string({
    ...CURRENCY,
    description: "ISO 4217 code; that of the product's channels if they agree.",
    example: 'EUR',
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
    description: 'Inventory item that a sale takes; null: not kept in stock.',
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

class ProductFieldsDto {
  @Field.string({
    description: 'Title.',
    example: 'Office chair',
  })
  title: string;

  @Field.string({
    description: 'Part of an address, unique in the project.',
    onCreate: 'From the title if omitted.',
    example: 'office-chair',
    pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
    required: false,
  })
  slug?: string;

  @Field.string({
    description: 'Description.',
    example: 'With armrests',
    maxLength: 20_000,
    minLength: 0,
    nullable: true,
    required: false,
  })
  description?: string | null;

  @Field.oneOf(PRODUCT_STATUSES, {
    description: 'Only active ones can be ordered.',
    example: 'active',
    default: 'draft',
    required: false,
  })
  status?: ProductStatus;

  @Field.uuid({
    description: 'From list_product_categories.',
    example: [EXAMPLE.category],
    default: [],
    list: { maxItems: 20 },
    required: false,
  })
  category_ids?: string[];

  @Field.uuid({
    description: 'From list_sales_channels; null: all.',
    example: [EXAMPLE.channel],
    list: { maxItems: 50 },
    nullable: true,
    required: false,
  })
  channel_ids?: string[] | null;

  @Field.string({
    description: 'Tax class.',
    example: STANDARD_TAX_CLASS,
    pattern: '^[a-z][a-z0-9_]{0,31}$',
    maxLength: 32,
    default: STANDARD_TAX_CLASS,
    required: false,
  })
  tax_class?: string;

  @Field.string({
    ...TEXT,
    description: 'What variants differ in.',
    example: ['Color'],
    default: [],
    list: { maxItems: 3 },
    required: false,
  })
  option_names?: string[];

  @Field.string({
    description: 'Addresses.',
    example: ['https://example.com/chair.jpg'],
    pattern: '^https?://[^\\s]+$',
    maxLength: 2000,
    default: [],
    list: { maxItems: 20 },
    required: false,
  })
  image_urls?: string[];

  @Field.string({
    description: 'Id in your system, unique in the project.',
    example: 'erp-4711',
    nullable: true,
    required: false,
  })
  external_id?: string | null;
}

export class CreateProductDto extends ProductFieldsDto {
  @Field.uuid({
    description: 'Project; the default project if omitted.',
    example: EXAMPLE.project,
    required: false,
  })
  project_id?: string;

  @Field.object(() => CreateProductVariantDto, {
    description: 'At least one; without options exactly one.',
    example: undefined,
    list: { minItems: 1, maxItems: 100 },
  })
  variants: CreateProductVariantDto[];
}

/** Variants are changed by put_product_variant. */
export class UpdateProductDto extends partialOf(ProductFieldsDto) {}

/** A variant, as a product shows it. */
export class ShownVariantDto {
  @Field.uuid({
    description: 'Id; variant_id of order lines.',
    example: EXAMPLE.variant,
  })
  id: string;

  @Field.string({
    description: 'Stock keeping unit.',
    example: SKU.example,
    maxLength: 64,
  })
  sku: string;

  @Field.string({
    ...TEXT,
    description: 'One per option name.',
    example: ['Black'],
    list: { maxItems: 3, repeats: true },
  })
  option_values: string[];

  @Field.integer({
    ...AMOUNT,
    description: 'Price in minor units.',
  })
  price_amount: number;

  @Field.string({
    ...CURRENCY,
    example: 'EUR',
  })
  currency: string;

  @Field.object(() => VariantPriceDto, {
    description: 'Prices in further currencies.',
    example: [],
    list: { maxItems: 20 },
  })
  prices: VariantPriceDto[];

  @Field.uuid({
    description: 'Inventory item; null: not kept in stock.',
    example: EXAMPLE.item,
    nullable: true,
  })
  inventory_item_id: string | null;

  @Field.decimal({
    description: 'How much of the item one unit takes.',
    example: '1',
  })
  inventory_quantity: string;

  @Field.boolean({
    description: 'Whether it can be ordered.',
    example: true,
  })
  active: boolean;

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
  ResourceDto as Type<ResourceDto>,
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
    const { project_id, product_id, version, created_at, updated_at } = row;
    const times = { created_at: created_at.toISOString(), updated_at: updated_at.toISOString() };
    return { object: 'product_variant', ...shownOf(row), project_id, product_id, version, ...times };
  }
}

export function shownOf(row: Variant): ShownVariant {
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

/** What is offered. */
export class ProductDto extends ResourceDto {
  @Field.constant('product')
  object: string;

  @Field.uuid({
    description: 'Project of the product.',
    example: EXAMPLE.project,
  })
  project_id: string;

  @Field.string({
    description: 'Title.',
    example: 'Office chair',
  })
  title: string;

  @Field.string({
    description: 'Part of an address.',
    example: 'office-chair',
  })
  slug: string;

  @Field.string({
    description: 'Description.',
    example: 'With armrests',
    minLength: 0,
    maxLength: 20_000,
    nullable: true,
  })
  description: string | null;

  @Field.oneOf(PRODUCT_STATUSES, {
    description: 'Only active ones can be ordered.',
    example: 'active',
  })
  status: ProductStatus;

  @Field.uuid({
    description: 'Categories.',
    example: [EXAMPLE.category],
    list: { maxItems: 20 },
  })
  category_ids: string[];

  @Field.uuid({
    description: 'Channels that sell it; null: all.',
    example: [EXAMPLE.channel],
    list: { maxItems: 50 },
    nullable: true,
  })
  channel_ids: string[] | null;

  @Field.string({
    description: 'Tax class.',
    example: STANDARD_TAX_CLASS,
    maxLength: 32,
  })
  tax_class: string;

  @Field.string({
    ...TEXT,
    description: 'What variants differ in.',
    example: ['Color'],
    list: { maxItems: 3 },
  })
  option_names: string[];

  @Field.string({
    description: 'Addresses of images.',
    example: ['https://cdn.example.com/chair.jpg'],
    maxLength: 2000,
    list: { maxItems: 20 },
  })
  image_urls: string[];

  @Field.string({
    description: 'Id in your system.',
    example: 'erp-4711',
    nullable: true,
  })
  external_id: string | null;

  @Field.object(() => ShownVariantDto, {
    description: 'What can be bought.',
    example: undefined,
    list: { maxItems: 100 },
  })
  variants: ShownVariantDto[];

  @Field.object(() => ActorDto, {
    description: 'Who created it.',
    example: undefined,
  })
  created_by: ActorDto;

  /** `variants` default to those read with the row; a row that was written needs them. */
  static from(this: void, product: Product, variants: readonly ShownVariant[] = product.variants ?? []): ProductDto {
    const { id, project_id, title, slug, description, status, category_ids, channel_ids, tax_class } = product;
    const { option_names, image_urls, external_id, created_by, version } = product;
    return {
      object: 'product',
      id,
      project_id,
      title,
      slug,
      description,
      status,
      category_ids,
      channel_ids,
      tax_class,
      option_names,
      image_urls,
      external_id,
      variants: [...variants],
      created_by,
      version,
      created_at: product.created_at.toISOString(),
      updated_at: product.updated_at.toISOString(),
    };
  }
}

export const EXPANDABLE = ['availability'] as const;

export class ProductQuery {
  @Expand(EXPANDABLE)
  expand?: (typeof EXPANDABLE)[number][];
}

@Listing({
  sort: ['created_at', 'updated_at', 'title'],
  defaultSort: '-created_at',
  search: 'search',
  searched: 'title, slug, external_id and description',
})
export class ProductsQuery extends ListQuery {
  @Filter.uuid({
    description: 'Only products of these projects.',
    example: [EXAMPLE.project],
  })
  project_id?: string[];

  @Filter.oneOf(PRODUCT_STATUSES, {
    description: 'Only with these statuses.',
    example: ['active'],
  })
  status?: ProductStatus[];

  @Filter.custom({
    kind: 'uuid',
    list: { maxItems: 50 },
    description: 'Only in any of these categories.',
    example: [EXAMPLE.category],
  })
  category_id?: string[];

  @Filter.custom({
    kind: 'uuid',
    description: 'Only what this channel sells.',
    example: EXAMPLE.channel,
  })
  channel_id?: string;

  @Filter.custom({
    kind: 'string',
    minLength: 1,
    maxLength: 64,
    list: { maxItems: 50 },
    description: 'Only products with a variant with one of these SKUs.',
    example: [SKU.example],
  })
  sku?: string[];

  @Filter.string({
    description: 'Only with these ids in your system.',
    example: ['erp-4711'],
  })
  external_id?: string[];

  @Expand(EXPANDABLE)
  expand?: (typeof EXPANDABLE)[number][];
}
