import { ActiveLookupQuery, bothOf, Field, Filter, Listing, partialOf, ResourceDto, responseOf, shownOf } from '../../../kit/index.js';
import { COUNTRY, CURRENCY, OF_PROJECT, TAX_CLASS } from '../model/field-options.js';
import type { ShippingMethod } from '../model/shipping-method.entity.js';
import { STANDARD_TAX_CLASS } from '../model/values.js';

export class CreateShippingMethodDto {
  @Field.uuid(OF_PROJECT)
  project_id?: string;

  @Field.string({
    summary: true,
    description: 'Name, unique in the project.',
    example: 'Parcel',
    maxLength: 100,
    isIdentifier: true,
  })
  name: string;

  @Field.string({
    ...COUNTRY,
    summary: true,
    description: 'Countries that it ships to, ISO 3166-1 alpha-2; empty: all.',
    example: ['DE', 'AT'],
    default: [],
    list: { maxItems: 250 },
    required: false,
  })
  countries?: string[];

  @Field.string({
    ...CURRENCY,
    summary: true,
    description: 'ISO 4217 code; only orders in it can use the method.',
  })
  currency: string;

  @Field.amount({
    summary: true,
    description: 'Price in minor units; with tax if prices of the channel include it.',
    example: 490,
  })
  price_amount: number;

  @Field.string({
    ...TAX_CLASS,
    default: STANDARD_TAX_CLASS,
    required: false,
  })
  tax_class?: string;

  @Field.integer({
    description: 'Position in the list.',
    onCreate: 'The last one if omitted.',
    example: 1,
    minimum: 1,
    maximum: 10_000,
    required: false,
  })
  position?: number;

  @Field.boolean({
    summary: true,
    description: 'Whether orders can use it.',
    example: true,
    default: true,
    required: false,
  })
  active?: boolean;
}

export class UpdateShippingMethodDto extends partialOf(CreateShippingMethodDto, { omit: ['project_id'] }) {}

/** A shipping method and its price. */
export class ShippingMethodDto extends bothOf(
  ResourceDto,
  shownOf(CreateShippingMethodDto, {
    project_id: 'Project of the shipping method.',
    name: true,
    countries: true,
    currency: true,
    price_amount: true,
    tax_class: true,
    position: true,
    active: true,
  }),
) {
  @Field.constant('shipping_method')
  object: string;

  static from(this: void, method: ShippingMethod): ShippingMethodDto {
    return responseOf(ShippingMethodDto, method);
  }
}

@Listing({
  sort: ['position', 'created_at'],
  defaultSort: 'position',
})
export class ShippingMethodsQuery extends ActiveLookupQuery {
  @Filter.string({
    description: 'Only those in these currencies.',
    example: ['EUR'],
  })
  currency?: string[];
}
