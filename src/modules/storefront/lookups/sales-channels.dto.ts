import { ActiveLookupQuery, bothOf, Field, Listing, partialOf, ResourceDto, responseOf, shownOf } from '../../../kit/index.js';
import type { Channel } from '../model/channel.entity.js';
import { EXAMPLE } from '../model/example-ids.js';
import { COUNTRY, CURRENCY, OF_PROJECT } from '../model/field-options.js';

export class CreateSalesChannelDto {
  @Field.uuid(OF_PROJECT)
  project_id?: string;

  @Field.string({
    summary: true,
    description: 'Name, unique in the project.',
    example: 'Web shop',
    maxLength: 100,
    isIdentifier: true,
  })
  name: string;

  @Field.string({
    ...CURRENCY,
    summary: true,
    description: 'ISO 4217 code; it cannot be changed later.',
  })
  currency: string;

  @Field.string({
    ...COUNTRY,
    summary: true,
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
    summary: true,
    description: 'Whether new orders can have it.',
    example: true,
    default: true,
    required: false,
  })
  active?: boolean;
}

export class UpdateSalesChannelDto extends partialOf(CreateSalesChannelDto, { omit: ['project_id', 'currency'] }) {}

/** Where products are sold. */
export class SalesChannelDto extends bothOf(
  ResourceDto,
  shownOf(CreateSalesChannelDto, {
    project_id: 'Project of the channel.',
    name: true,
    currency: 'ISO 4217 code of its prices and orders.',
    country: true,
    prices_include_tax: true,
    location_ids: true,
    payment_window_minutes: true,
    active: true,
  }),
) {
  @Field.constant('sales_channel')
  object: string;

  static from(this: void, channel: Channel): SalesChannelDto {
    return responseOf(SalesChannelDto, channel);
  }
}

@Listing({
  sort: ['name', 'created_at'],
  defaultSort: 'name',
})
export class SalesChannelsQuery extends ActiveLookupQuery {}
