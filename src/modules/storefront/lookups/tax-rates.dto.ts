import {
  bothOf,
  Field,
  Filter,
  Listing,
  partialOf,
  plainDecimal,
  ProjectLookupQuery,
  ResourceDto,
  responseOf,
  shownOf,
} from '../../../kit/index.js';
import { COUNTRY, OF_PROJECT, RATE, TAX_CLASS, TAX_CODE } from '../model/field-options.js';
import type { TaxRate } from '../model/tax-rate.entity.js';
import { STANDARD_TAX_CLASS } from '../model/values.js';

export class CreateStorefrontTaxRateDto {
  @Field.uuid(OF_PROJECT)
  project_id?: string;

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
    ...RATE,
    description: 'Percent, at most 100. Placed orders keep the rate that they have.',
  })
  rate: string;

  @Field.string({
    ...TAX_CODE,
    description: 'Code of the tax; accounting finds its tax by it.',
    isIdentifier: true,
  })
  code: string;
}

export class UpdateStorefrontTaxRateDto extends partialOf(CreateStorefrontTaxRateDto, { omit: ['project_id'] }) {}

/** The tax on a class of products in a country. */
export class StorefrontTaxRateDto extends bothOf(
  ResourceDto,
  shownOf(CreateStorefrontTaxRateDto, {
    project_id: 'Project of the tax rate.',
    country: true,
    tax_class: true,
    rate: 'Percent.',
    code: true,
  }),
) {
  @Field.constant('storefront_tax_rate')
  object: string;

  static from(this: void, row: TaxRate): StorefrontTaxRateDto {
    return { ...responseOf(StorefrontTaxRateDto, row), rate: plainDecimal(row.rate) };
  }
}

@Listing({
  sort: ['country', 'created_at'],
  defaultSort: 'country',
})
export class StorefrontTaxRatesQuery extends ProjectLookupQuery {
  @Filter.string({
    description: 'Only those of these countries.',
    example: ['DE'],
  })
  country?: string[];
}
