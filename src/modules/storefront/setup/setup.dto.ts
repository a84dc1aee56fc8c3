import { Field, partialOf } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import { STANDARD_TAX_CLASS } from '../model/values.js';

const CURRENCY = { example: 'EUR', pattern: '^[A-Z]{3}$', maxLength: 3, minLength: 3 };
const COUNTRY = { example: 'DE', pattern: '^[A-Z]{2}$', maxLength: 2, minLength: 2 };
const TAX_CLASS = { example: 'standard', pattern: '^[a-z][a-z0-9_]{0,31}$', maxLength: 32 };
const POSITION = {
  description: 'Position in the list; the last one if omitted.',
  example: 1,
  minimum: 1,
  maximum: 10_000,
  required: false,
};

class OfProjectDto {
  @Field.uuid({
    description: 'The project; the default project if omitted.',
    example: EXAMPLE.project,
    required: false,
  })
  project_id?: string;
}

export class CreateSalesChannelDto extends OfProjectDto {
  @Field.string({
    description: 'Name, unique in the project.',
    example: 'Web shop',
    maxLength: 100,
    isIdentifier: true,
  })
  name: string;

  @Field.string({
    ...CURRENCY,
    description: 'ISO 4217 code; it cannot be changed later.',
  })
  currency: string;

  @Field.string({
    ...COUNTRY,
    description: 'Country, ISO 3166-1 alpha-2: its tax applies to orders without a shipping address.',
  })
  country: string;

  @Field.boolean({
    description: 'Whether prices contain the tax.',
    example: true,
    default: true,
    required: false,
  })
  prices_include_tax?: boolean;

  @Field.uuid({
    description: 'Locations of the inventory that orders reserve at, in this order; empty: the sellable ones in their order.',
    example: [EXAMPLE.location],
    default: [],
    list: { maxItems: 50 },
    required: false,
  })
  location_ids?: string[];

  @Field.integer({
    description: 'Minutes after which an unpaid order is cancelled; null: never.',
    example: 1440,
    minimum: 1,
    maximum: 525_600,
    nullable: true,
    required: false,
  })
  payment_window_minutes?: number | null;

  @Field.boolean({
    description: 'Whether new orders can have it.',
    example: true,
    default: true,
    required: false,
  })
  active?: boolean;
}

export class UpdateSalesChannelDto extends partialOf(CreateSalesChannelDto, { omit: ['project_id', 'currency'] }) {}

export class CreateProductCategoryDto extends OfProjectDto {
  @Field.string({
    description: 'Name, unique in the project.',
    example: 'Chairs',
    maxLength: 100,
    isIdentifier: true,
  })
  name: string;

  @Field.integer(POSITION)
  position?: number;

  @Field.boolean({
    description: 'Whether shops should show it.',
    example: true,
    default: true,
    required: false,
  })
  active?: boolean;
}

export class UpdateProductCategoryDto extends partialOf(CreateProductCategoryDto, { omit: ['project_id'] }) {}

export class CreateShippingMethodDto extends OfProjectDto {
  @Field.string({
    description: 'Name, unique in the project.',
    example: 'Parcel',
    maxLength: 100,
    isIdentifier: true,
  })
  name: string;

  @Field.string({
    ...COUNTRY,
    description: 'Countries that it ships to, ISO 3166-1 alpha-2; empty: all.',
    example: ['DE', 'AT'],
    default: [],
    list: { maxItems: 250 },
    required: false,
  })
  countries?: string[];

  @Field.string({
    ...CURRENCY,
    description: 'ISO 4217 code; only orders in it can use the method.',
  })
  currency: string;

  @Field.amount({
    description: 'Price in minor units; with tax if prices of the channel include it.',
    example: 490,
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
  })
  price_amount: number;

  @Field.string({
    ...TAX_CLASS,
    description: 'Tax class.',
    default: STANDARD_TAX_CLASS,
    required: false,
  })
  tax_class?: string;

  @Field.integer(POSITION)
  position?: number;

  @Field.boolean({
    description: 'Whether orders can use it.',
    example: true,
    default: true,
    required: false,
  })
  active?: boolean;
}

export class UpdateShippingMethodDto extends partialOf(CreateShippingMethodDto, { omit: ['project_id'] }) {}

export class CreateStorefrontTaxRateDto extends OfProjectDto {
  @Field.string({
    ...COUNTRY,
    description: 'Country, ISO 3166-1 alpha-2.',
  })
  country: string;

  @Field.string({
    ...TAX_CLASS,
    description: 'Tax class of products and shipping methods; each has one rate in a country.',
    default: STANDARD_TAX_CLASS,
    required: false,
  })
  tax_class?: string;

  @Field.decimal({
    description: 'Percent, at most 100. Placed orders keep the rate that they have.',
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
}

export class UpdateStorefrontTaxRateDto extends partialOf(CreateStorefrontTaxRateDto, { omit: ['project_id'] }) {}
