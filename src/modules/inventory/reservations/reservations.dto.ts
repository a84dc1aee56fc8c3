import { Filter, Listing } from '../../../kit/index.js';
import { RESERVATION_STATUSES, type ReservationStatus } from '../model/statuses.js';
import { OfItemsQuery } from '../resources/of-item.dto.js';

@Listing({
  sort: ['created_at', 'updated_at'],
  defaultSort: '-created_at',
})
export class StockReservationsQuery extends OfItemsQuery {
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
