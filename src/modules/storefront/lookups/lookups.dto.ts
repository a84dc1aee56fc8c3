import { Field, Filter, Listing, LookupQuery, plainDecimal, ResourceDto } from '../../../kit/index.js';
import type { Category } from '../model/category.entity.js';
import type { Channel } from '../model/channel.entity.js';
import { EXAMPLE } from '../model/example-ids.js';
import type { ShippingMethod } from '../model/shipping-method.entity.js';
import type { TaxRate } from '../model/tax-rate.entity.js';

const CURRENCY = { description: 'ISO 4217 code.', example: 'EUR', pattern: '^[A-Z]{3}$', maxLength: 3, minLength: 3 };
const COUNTRY = { example: 'DE', pattern: '^[A-Z]{2}$', maxLength: 2, minLength: 2 };
const TAX_CLASS = { example: 'standard', pattern: '^[a-z][a-z0-9_]{0,31}$', maxLength: 32 };

function base({ id, project_id, version, created_at, updated_at }: Channel | Category | ShippingMethod | TaxRate) {
  return { id, project_id, version, created_at: created_at.toISOString(), updated_at: updated_at.toISOString() };
}

/** Where products are sold. */
export class SalesChannelDto extends ResourceDto {
  @Field.constant('sales_channel')
  object: string;

  @Field.uuid({
    description: 'Project of the channel.',
    example: EXAMPLE.project,
  })
  project_id: string;

  @Field.string({
    description: 'Name.',
    example: 'Web shop',
    maxLength: 100,
  })
  name: string;

  @Field.string({
    ...CURRENCY,
    description: 'ISO 4217 code of its prices and orders.',
  })
  currency: string;

  @Field.string({
    ...COUNTRY,
    description: 'Decides the tax of orders without a shipping address.',
  })
  country: string;

  @Field.boolean({
    description: 'Whether prices contain the tax.',
    example: true,
  })
  prices_include_tax: boolean;

  @Field.uuid({
    description: 'Locations of the inventory that orders reserve at, in this order; empty: the sellable ones.',
    example: [EXAMPLE.location],
    list: { maxItems: 50 },
  })
  location_ids: string[];

  @Field.integer({
    description: 'Minutes after which an unpaid order is cancelled; null: never.',
    example: 1440,
    minimum: 1,
    maximum: 525_600,
    nullable: true,
  })
  payment_window_minutes: number | null;

  @Field.boolean({
    description: 'Whether new orders can have it.',
    example: true,
  })
  active: boolean;

  static from(this: void, channel: Channel): SalesChannelDto {
    const { name, currency, country, prices_include_tax, location_ids, payment_window_minutes, active } = channel;
    return {
      object: 'sales_channel',
      ...base(channel),
      name,
      currency,
      country,
      prices_include_tax,
      location_ids,
      payment_window_minutes,
      active,
    };
  }
}

/** A group of products. */
export class ProductCategoryDto extends ResourceDto {
  @Field.constant('product_category')
  object: string;

  @Field.uuid({
    description: 'Project of the category.',
    example: EXAMPLE.project,
  })
  project_id: string;

  @Field.string({
    description: 'Name.',
    example: 'Chairs',
    maxLength: 100,
  })
  name: string;

  @Field.integer({
    description: 'Position in the list.',
    example: 1,
    minimum: 1,
    maximum: 10_000,
  })
  position: number;

  @Field.boolean({
    description: 'Whether shops should show it.',
    example: true,
  })
  active: boolean;

  static from(this: void, category: Category): ProductCategoryDto {
    const { name, position, active } = category;
    return { object: 'product_category', ...base(category), name, position, active };
  }
}

/** A shipping method and its price. */
export class ShippingMethodDto extends ResourceDto {
  @Field.constant('shipping_method')
  object: string;

  @Field.uuid({
    description: 'Project of the shipping method.',
    example: EXAMPLE.project,
  })
  project_id: string;

  @Field.string({
    description: 'Name.',
    example: 'Parcel',
    maxLength: 100,
  })
  name: string;

  @Field.string({
    ...COUNTRY,
    description: 'Countries that it ships to; empty: all.',
    example: ['DE', 'AT'],
    list: { maxItems: 250 },
  })
  countries: string[];

  @Field.string({
    ...CURRENCY,
    description: 'ISO 4217 code; only orders in it can use the method.',
  })
  currency: string;

  @Field.integer({
    description: 'Price in minor units; with tax if prices of the channel include it.',
    example: 490,
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
  })
  price_amount: number;

  @Field.string({
    ...TAX_CLASS,
    description: 'Tax class.',
  })
  tax_class: string;

  @Field.integer({
    description: 'Position in the list.',
    example: 1,
    minimum: 1,
    maximum: 10_000,
  })
  position: number;

  @Field.boolean({
    description: 'Whether orders can use it.',
    example: true,
  })
  active: boolean;

  static from(this: void, method: ShippingMethod): ShippingMethodDto {
    const { name, countries, currency, price_amount, tax_class, position, active } = method;
    return { object: 'shipping_method', ...base(method), name, countries, currency, price_amount, tax_class, position, active };
  }
}

/** The tax on a class of products in a country. */
export class StorefrontTaxRateDto extends ResourceDto {
  @Field.constant('storefront_tax_rate')
  object: string;

  @Field.uuid({
    description: 'Project of the tax rate.',
    example: EXAMPLE.project,
  })
  project_id: string;

  @Field.string({
    ...COUNTRY,
    description: 'Country, ISO 3166-1 alpha-2.',
  })
  country: string;

  @Field.string({
    ...TAX_CLASS,
    description: 'Tax class of products and shipping methods.',
  })
  tax_class: string;

  @Field.decimal({
    description: 'Percent.',
    example: '19',
    digits: 3,
    places: 4,
  })
  rate: string;

  @Field.string({
    description: 'Code of the tax; accounting finds its tax by it.',
    example: 'S19',
    maxLength: 32,
    isIdentifier: true,
  })
  code: string;

  static from(this: void, row: TaxRate): StorefrontTaxRateDto {
    const { country, tax_class, rate, code } = row;
    return { object: 'storefront_tax_rate', ...base(row), country, tax_class, rate: plainDecimal(rate), code };
  }
}

@Listing({
  sort: ['name', 'created_at'],
  defaultSort: 'name',
})
export class SalesChannelsQuery extends LookupQuery {
  @Field.uuid({
    description: 'Only channels of this project.',
    example: EXAMPLE.project,
    required: false,
  })
  project_id?: string;

  @Filter.boolean({
    description: 'Only active channels, or only others.',
    example: true,
  })
  active?: boolean;
}

@Listing({
  sort: ['position', 'created_at'],
  defaultSort: 'position',
})
export class ProductCategoriesQuery extends LookupQuery {
  @Field.uuid({
    description: 'Only categories of this project.',
    example: EXAMPLE.project,
    required: false,
  })
  project_id?: string;

  @Filter.boolean({
    description: 'Only active categories, or only others.',
    example: true,
  })
  active?: boolean;
}

@Listing({
  sort: ['position', 'created_at'],
  defaultSort: 'position',
})
export class ShippingMethodsQuery extends LookupQuery {
  @Field.uuid({
    description: 'Only shipping methods of this project.',
    example: EXAMPLE.project,
    required: false,
  })
  project_id?: string;

  @Filter.string({
    description: 'Only those in these currencies.',
    example: ['EUR'],
  })
  currency?: string[];

  @Filter.boolean({
    description: 'Only active shipping methods, or only others.',
    example: true,
  })
  active?: boolean;
}

@Listing({
  sort: ['country', 'created_at'],
  defaultSort: 'country',
})
export class StorefrontTaxRatesQuery extends LookupQuery {
  @Field.uuid({
    description: 'Only tax rates of this project.',
    example: EXAMPLE.project,
    required: false,
  })
  project_id?: string;

  @Filter.string({
    description: 'Only those of these countries.',
    example: ['DE'],
  })
  country?: string[];
}
