import { Field, responseOf, shownOf } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import type { ShownFulfillment } from '../model/shown-parts.js';
import { SHIPMENT_STATES, type ShipmentState } from '../model/values.js';
import { OPTIONAL } from '../model/field-options.js';

export class TrackingDto {
  @Field.string({
    description: 'Carrier of the parcel.',
    example: 'DHL',
    maxLength: 100,
    ...OPTIONAL,
  })
  carrier?: string | null;

  @Field.string({
    description: 'Tracking number.',
    example: '00340434161094021501',
    maxLength: 100,
    ...OPTIONAL,
  })
  number?: string | null;

  @Field.string({
    description: 'Address of the tracking page.',
    example: 'https://dhl.example/t',
    pattern: '^https?://[^\\s]+$',
    maxLength: 2000,
    ...OPTIONAL,
  })
  url?: string | null;
}

export class ShippedUnitsDto {
  @Field.uuid({
    description: 'Line of the order.',
    example: EXAMPLE.line,
  })
  line_id: string;

  @Field.integer({
    description: 'Number of units.',
    example: 1,
    minimum: 1,
    maximum: 9999,
  })
  quantity: number;
}

export class FulfillOrderDto {
  @Field.object(() => ShippedUnitsDto, {
    description: 'What is sent; all that is left if omitted.',
    example: undefined,
    list: { minItems: 1, maxItems: 200 },
    required: false,
  })
  lines?: ShippedUnitsDto[];

  @Field.uuid({
    description: 'Send only what is reserved at this location, and what is not kept in stock.',
    example: EXAMPLE.location,
    nullable: true,
    required: false,
  })
  location_id?: string | null;

  @Field.object(() => TrackingDto, {
    description: 'How to follow it.',
    example: undefined,
    nullable: true,
    required: false,
  })
  tracking?: TrackingDto | null;

  @Field.boolean({
    description: 'Tell the buyer by mail.',
    example: true,
    default: true,
    required: false,
  })
  notify?: boolean;
}

export class OrderFulfillmentDto extends shownOf(FulfillOrderDto, {
  location_id: 'Where its goods were; null: nowhere or at several places.',
  tracking: true,
}) {
  @Field.uuid({
    description: 'Id.',
    example: EXAMPLE.fulfillment,
  })
  id: string;

  @Field.oneOf(SHIPMENT_STATES, {
    description: 'State.',
    example: 'shipped',
  })
  state: ShipmentState;

  @Field.object(() => ShippedUnitsDto, {
    description: 'Its content.',
    example: [],
    list: { maxItems: 200 },
  })
  lines: ShippedUnitsDto[];

  @Field.dateTime({
    description: 'When it was shipped.',
    example: '2026-11-23T09:30:00.000Z',
  })
  created_at: string;

  @Field.dateTime({
    description: 'When it was cancelled.',
    example: null,
    nullable: true,
  })
  cancelled_at: string | null;

  static from(this: void, shown: ShownFulfillment): OrderFulfillmentDto {
    return responseOf(OrderFulfillmentDto, shown);
  }
}
