import { Field, Filter, Listing, ListQuery } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import { RESERVATION_STATUSES, type ReservationStatus } from '../model/statuses.js';

export class CreateStockReservationDto {
  @Field.uuid({
    description: 'The item.',
    example: EXAMPLE.item,
  })
  item_id: string;

  @Field.decimal({
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
    description: 'What it is for, such as an order number.',
    example: 'SO-1001',
    isIdentifier: true,
  })
  reference: string;

  @Field.dateTime({
    description: 'When it expires; never if omitted.',
    example: '2099-01-01T00:00:00Z',
    nullable: true,
    required: false,
  })
  expires_at?: string | null;
}

@Listing({
  sort: ['created_at', 'updated_at'],
  defaultSort: '-created_at',
})
export class StockReservationsQuery extends ListQuery {
  @Filter.uuid({
    description: 'Only of these projects.',
    example: [EXAMPLE.project],
  })
  project_id?: string[];

  @Filter.uuid({
    description: 'Only of these items.',
    example: [EXAMPLE.item],
  })
  item_id?: string[];

  @Filter.oneOf(RESERVATION_STATUSES, {
    description: 'Only with these statuses.',
    example: ['active'],
  })
  status?: ReservationStatus[];

  @Filter.string({
    description: 'Only with these references.',
    example: ['SO-1001'],
  })
  reference?: string[];
}
