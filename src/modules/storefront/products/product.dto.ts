import { ActorDto, ActorField, bothOf, Field, ResourceDto, responseOf, shownOf } from '../../../kit/index.js';
import { CURRENCY } from '../model/field-options.js';
import type { Product } from '../model/product.entity.js';
import type { ShownVariant } from '../model/shown-variant.js';
import { CreateProductDto } from './product-requests.dto.js';
import { ShownVariantDto } from './product-variant.dto.js';

/** The lowest and the highest price of variants. */
export class PriceRangeDto {
  @Field.string({
    ...CURRENCY,
    description: 'ISO 4217 code: the main currency of the first of them.',
  })
  currency: string;

  @Field.amount({
    description: 'Lowest price in minor units.',
    example: 12_900,
  })
  from_amount: number;

  @Field.amount({
    description: 'Highest price.',
    example: 14_900,
  })
  to_amount: number;
}

/** What is offered. */
export class ProductDto extends bothOf(
  ResourceDto,
  shownOf(CreateProductDto, {
    project_id: 'Project of the product.',
    title: true,
    slug: 'Part of an address.',
    description: true,
    status: true,
    category_ids: 'Categories.',
    channel_ids: 'Channels that sell it; null: all.',
    tax_class: true,
    option_names: true,
    image_urls: 'Addresses of images.',
    external_id: 'Id in your system.',
    custom_fields: 'Custom fields by key.',
  }),
) {
  @Field.constant('product')
  object: string;

  @Field.integer({
    summary: 'if_short',
    description: 'Number of variants.',
    example: 2,
    minimum: 0,
  })
  variant_count: number;

  @Field.object(() => PriceRangeDto, {
    summary: true,
    description: 'What the active variants cost; null if there are none.',
    example: undefined,
    nullable: true,
  })
  price_range: PriceRangeDto | null;

  @Field.integer({
    summary: true,
    description: 'Units of all variants that can be ordered; null if none is kept in stock. Present with expand=availability.',
    example: 12,
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    nullable: true,
    required: false,
  })
  available?: number | null;

  @Field.object(() => ShownVariantDto, {
    description: 'What can be bought.',
    example: undefined,
    list: { maxItems: 100 },
  })
  variants: ShownVariantDto[];

  @ActorField('Who created it.')
  created_by: ActorDto;

  /** `variants` default to those read with the row; a row that was written needs them. */
  static from(
    this: void,
    product: Product,
    variants: readonly (ShownVariant & Pick<ShownVariantDto, 'available'>)[] = product.variants ?? [],
  ): ProductDto {
    return {
      ...responseOf(ProductDto, product),
      variant_count: variants.length,
      price_range: rangeOf(variants.filter(({ active }) => active)),
      ...availableOf(variants),
      variants: [...variants],
    };
  }
}

function rangeOf(variants: readonly ShownVariant[]): PriceRangeDto | null {
  if (variants.length === 0) return null;
  const [{ currency }] = variants;
  const amounts = variants.filter((one) => one.currency === currency).map(({ price_amount }) => price_amount);
  return { currency, from_amount: Math.min(...amounts), to_amount: Math.max(...amounts) };
}

/** Nothing if it was not asked for. */
function availableOf(variants: readonly ShownVariantDto[]): Pick<ProductDto, 'available'> {
  if (variants.every(({ available }) => available === undefined)) return {};
  const kept = variants.flatMap(({ available }) => available ?? []);
  return { available: kept.length === 0 ? null : kept.reduce((sum, units) => sum + units, 0) };
}
