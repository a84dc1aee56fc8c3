import { Filter, Listing, ListQuery } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import { RESERVATION_STATUSES, type ReservationStatus } from '../model/statuses.js';

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
