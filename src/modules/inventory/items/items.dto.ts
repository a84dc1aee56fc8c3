import { Filter, Listing, ProjectListQuery } from '../../../kit/index.js';
import { TRACKINGS, type Tracking } from '../model/item.entity.js';

@Listing({
  sort: ['sku', 'name', 'updated_at'],
  defaultSort: 'sku',
  search: 'search',
  searched: 'SKU, name, barcode and description',
  customFields: 'inventory_item',
})
export class InventoryItemsQuery extends ProjectListQuery {
  @Filter.string({
    description: 'Only items with these SKUs.',
    example: ['CHAIR-01'],
  })
  sku?: string[];

  @Filter.string({
    description: 'Only items with these barcodes.',
    example: ['4006381333931'],
  })
  barcode?: string[];

  @Filter.string({
    description: 'Only items with these ids in your system.',
    example: ['erp-4711'],
  })
  external_id?: string[];

  @Filter.oneOf(TRACKINGS, {
    description: 'Only items that are tracked so.',
    example: ['lot'],
  })
  tracking?: Tracking[];

  @Filter.custom({
    kind: 'boolean',
    description: 'Only items at or below their reorder point, or only others.',
    example: true,
  })
  low?: boolean;

  @Filter.boolean({
    description: 'Only active items, or only others.',
    example: true,
  })
  active?: boolean;
}
