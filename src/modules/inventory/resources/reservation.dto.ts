import { ActorDto, ActorField, bothOf, Field, plainDecimal, responseOf, shownOf } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import type { StockReservation } from '../model/reservation.entity.js';
import { RESERVATION_STATUSES, type ReservationStatus } from '../model/statuses.js';
import { OfItemDto } from './of-item.dto.js';
import { CODE_OF_LOCATION, NAME_OF_ITEM, SKU_OF_ITEM } from './names.js';

export class CreateStockReservationDto {
  @Field.uuid({
    description: 'The item, from list_items.',
    example: EXAMPLE.item,
  })
  item_id: string;

  @Field.decimal({
    summary: true,
    description: "How much, in the item's unit.",
    example: '2',
    sign: 'positive',
  })
  quantity: string;

  @Field.uuid({
    description: 'The location; by default the first sellable one that has enough.',
    example: EXAMPLE.location,
    nullable: true,
    required: false,
  })
  location_id?: string | null;

  @Field.string({
    summary: true,
    description: 'What it is for, such as an order number.',
    example: 'SO-1001',
    isIdentifier: true,
  })
  reference: string;

  @Field.dateTime({
    summary: true,
    description: 'When it expires; never if omitted.',
    example: '2099-01-01T00:00:00Z',
    nullable: true,
    required: false,
  })
  expires_at?: string | null;
}

/** Stock that is kept for somebody. */
export class StockReservationDto extends bothOf(
  OfItemDto,
  shownOf(CreateStockReservationDto, {
    quantity: "The reserved quantity, in the item's unit; less after it was shortened.",
    reference: true,
    expires_at: 'When it expires; null: never.',
  }),
) {
  @Field.constant('stock_reservation')
  object: string;

  @Field.string({
    ...SKU_OF_ITEM,
    summary: true,
  })
  sku?: string;

  @Field.string(NAME_OF_ITEM)
  item_name?: string;

  @Field.string(CODE_OF_LOCATION)
  location_code?: string;

  @Field.uuid({
    description: 'Where the stock is.',
    example: EXAMPLE.location,
  })
  location_id: string;

  @Field.decimal({
    description: 'The part that was issued.',
    example: '0',
  })
  consumed_quantity: string;

  @Field.oneOf(RESERVATION_STATUSES, {
    summary: true,
    description: 'active keeps the rest of the quantity; the others have ended.',
    example: 'active',
  })
  status: ReservationStatus;

  @Field.dateTime({
    description: 'When it ended.',
    example: null,
    nullable: true,
  })
  ended_at: string | null;

  @ActorField('Who created it.')
  created_by: ActorDto;

  static from(this: void, reservation: StockReservation): StockReservationDto {
    const { quantity, consumed_quantity } = reservation;
    return {
      ...responseOf(StockReservationDto, reservation),
      ...reservation.names,
      quantity: plainDecimal(quantity),
      consumed_quantity: plainDecimal(consumed_quantity),
    };
  }
}
