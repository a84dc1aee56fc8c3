import { ActorDto, Field, plainDecimal, ResourceDto } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import type { StockReservation } from '../model/reservation.entity.js';
import { RESERVATION_STATUSES, type ReservationStatus } from '../model/statuses.js';

/** Stock that is kept for somebody. */
export class StockReservationDto extends ResourceDto {
  @Field.constant('stock_reservation')
  object: string;

  @Field.uuid({
    description: 'Project of the item.',
    example: EXAMPLE.project,
  })
  project_id: string;

  @Field.uuid({
    description: 'The item.',
    example: EXAMPLE.item,
  })
  item_id: string;

  @Field.uuid({
    description: 'Where the stock is.',
    example: EXAMPLE.location,
  })
  location_id: string;

  @Field.decimal({
    description: "The reserved quantity, in the item's unit; less after it was shortened.",
    example: '2',
    sign: 'positive',
  })
  quantity: string;

  @Field.decimal({
    description: 'The part that was issued.',
    example: '0',
  })
  consumed_quantity: string;

  @Field.oneOf(RESERVATION_STATUSES, {
    description: 'active keeps the rest of the quantity; the others have ended.',
    example: 'active',
  })
  status: ReservationStatus;

  @Field.string({
    description: 'What it is for, such as an order number.',
    example: 'SO-1001',
    isIdentifier: true,
  })
  reference: string;

  @Field.dateTime({
    description: 'When it expires; null: never.',
    example: '2026-11-22T09:30:00.000Z',
    nullable: true,
  })
  expires_at: string | null;

  @Field.dateTime({
    description: 'When it ended.',
    example: null,
    nullable: true,
  })
  ended_at: string | null;

  @Field.object(() => ActorDto, {
    description: 'Who created it.',
    example: undefined,
  })
  created_by: ActorDto;

  static from(this: void, reservation: StockReservation): StockReservationDto {
    const { id, project_id, version, item_id, location_id, quantity, consumed_quantity, status, reference } = reservation;
    return {
      object: 'stock_reservation',
      id,
      project_id,
      item_id,
      location_id,
      quantity: plainDecimal(quantity),
      consumed_quantity: plainDecimal(consumed_quantity),
      status,
      reference,
      expires_at: reservation.expires_at?.toISOString() ?? null,
      ended_at: reservation.ended_at?.toISOString() ?? null,
      created_by: reservation.created_by,
      version,
      created_at: reservation.created_at.toISOString(),
      updated_at: reservation.updated_at.toISOString(),
    };
  }
}
