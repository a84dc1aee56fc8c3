import { Field, Filter, Listing, partialOf, ProjectListQuery } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import { OF_PROJECT } from '../model/field-options.js';
import {
  FULFILLMENT_STATES,
  ORDER_STATES,
  PAYMENT_STATES,
  type FulfillmentState,
  type OrderState,
  type PaymentState,
} from '../model/values.js';
import { AddressDto } from './address.dto.js';
import { ShippedUnitsDto } from './order-fulfillment.dto.js';
import { OrderLineInputDto } from './order-line.dto.js';

class CartDto {
  @Field.email({
    description: 'Of the buyer; needed to place it.',
    example: 'ada@example.com',
    nullable: true,
    required: false,
  })
  email?: string | null;

  @Field.string({
    summary: true,
    description: 'Name of the buyer.',
    example: 'Ada Lovelace',
    nullable: true,
    required: false,
  })
  name?: string | null;

  @Field.object(() => OrderLineInputDto, {
    description: 'What is bought. Replaces all lines.',
    example: undefined,
    list: { minItems: 1, maxItems: 200 },
  })
  lines: OrderLineInputDto[];

  @Field.string({
    description: 'Discount code that the buyer entered.',
    example: 'SPRING10',
    nullable: true,
    required: false,
    maxLength: 64,
    isIdentifier: true,
  })
  discount_code?: string | null;

  @Field.uuid({
    description: 'Shipping method, from list_shipping_methods; needed to place goods kept in stock.',
    example: EXAMPLE.shippingMethod,
    nullable: true,
    required: false,
  })
  shipping_method_id?: string | null;

  @Field.object(() => AddressDto, {
    description: 'Where to send it; its country decides the tax.',
    example: undefined,
    nullable: true,
    required: false,
  })
  shipping_address?: AddressDto | null;

  @Field.object(() => AddressDto, {
    description: 'Address for the invoice.',
    example: undefined,
    nullable: true,
    required: false,
  })
  billing_address?: AddressDto | null;

  @Field.string({
    description: 'Note on the order.',
    example: 'Ring twice',
    nullable: true,
    required: false,
    minLength: 0,
    maxLength: 5000,
  })
  note?: string | null;

  @Field.string({
    description: 'Id in your system, unique in the project.',
    example: 'shop-4711',
    nullable: true,
    required: false,
    isIdentifier: true,
  })
  external_id?: string | null;
}

export class CreateOrderDto extends CartDto {
  @Field.uuid(OF_PROJECT)
  project_id?: string;

  @Field.uuid({
    description: 'Sales channel, from list_sales_channels; gives currency and prices.',
    example: EXAMPLE.channel,
  })
  channel_id: string;

  @Field.boolean({
    description: 'Place it at once.',
    example: false,
    default: false,
    required: false,
  })
  place?: boolean;
}

/** Of a placed order only the note, the addresses and the e-mail address can change. */
export class UpdateOrderDto extends partialOf(CartDto) {}

export class PlaceOrderDto {
  @Field.amount({
    description: 'The total that the buyer has agreed to; another one is rejected with totals_changed.',
    example: 12_900,
    required: false,
  })
  expected_total_amount?: number;
}

export class CancelOrderDto {
  @Field.object(() => ShippedUnitsDto, {
    description: 'Units that were not shipped; the whole order if omitted.',
    example: undefined,
    list: { minItems: 1, maxItems: 200 },
    required: false,
  })
  lines?: ShippedUnitsDto[];

  @Field.string({
    description: 'Why it is cancelled.',
    example: 'The buyer changed their mind',
  })
  reason: string;
}

@Listing({
  sort: ['created_at', 'updated_at'],
  defaultSort: '-created_at',
  search: 'search',
  searched: 'number, e-mail address, name, external_id and note',
})
export class OrdersQuery extends ProjectListQuery {
  @Filter.oneOf(ORDER_STATES, {
    description: 'Only in these states.',
    example: ['open'],
  })
  state?: OrderState[];

  @Filter.oneOf(PAYMENT_STATES, {
    description: 'Only with these payment states.',
    example: ['paid'],
  })
  payment_state?: PaymentState[];

  @Filter.oneOf(FULFILLMENT_STATES, {
    description: 'Only with these fulfillment states.',
    example: ['unfulfilled'],
  })
  fulfillment_state?: FulfillmentState[];

  @Filter.custom({
    kind: 'string',
    minLength: 1,
    maxLength: 254,
    list: { maxItems: 50 },
    description: 'Only of buyers with these e-mail addresses.',
    example: ['ada@example.com'],
  })
  email?: string[];

  @Filter.string({
    description: 'Only with these numbers.',
    example: ['O-42'],
  })
  number?: string[];

  @Filter.uuid({
    description: 'Only of these channels.',
    example: [EXAMPLE.channel],
  })
  channel_id?: string[];

  @Filter.custom({
    kind: 'string',
    minLength: 1,
    maxLength: 64,
    list: { maxItems: 50 },
    description: 'Only with a line with one of these SKUs.',
    example: ['CHAIR-BLACK'],
  })
  sku?: string[];

  @Filter.string({
    description: 'Only with these ids in your system.',
    example: ['shop-4711'],
  })
  external_id?: string[];

  @Filter.from('date_time', {
    description: 'Placed at or after this time.',
    example: '2026-01-01T00:00:00Z',
    column: 'placed_at',
  })
  placed_after?: string;
}
