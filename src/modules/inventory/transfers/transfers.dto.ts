import { Filter, Listing, ProjectListQuery } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import { TRANSFER_STATUSES, type TransferStatus } from '../model/statuses.js';

@Listing({
  sort: ['created_at', 'updated_at'],
  defaultSort: '-created_at',
})
export class StockTransfersQuery extends ProjectListQuery {
  @Filter.oneOf(TRANSFER_STATUSES, {
    description: 'Only with these statuses.',
    example: ['in_transit'],
  })
  status?: TransferStatus[];

  @Filter.custom({
    kind: 'uuid',
    description: 'Only with one of these items.',
    example: [EXAMPLE.item],
    list: { maxItems: 50 },
  })
  item_id?: string[];
}
