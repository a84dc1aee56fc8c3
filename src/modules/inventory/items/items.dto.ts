import { Field, Filter, Listing, ListQuery, partialOf } from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import { TRACKINGS, VALUATION_METHODS, type Tracking, type ValuationMethod } from '../model/item.entity.js';
import { ItemUnitDto } from '../views/item.dto.js';

export class CreateInventoryItemDto {
  @Field.uuid({
    description: 'Project of the item.',
    example: EXAMPLE.project,
    required: false,
    onCreate: 'The default project if omitted.',
  })
  project_id?: string;

  @Field.string({
    description: 'Stock keeping unit, unique in the project.',
    example: 'CHAIR-01',
    maxLength: 64,
    isIdentifier: true,
  })
  sku: string;

  @Field.string({
    description: 'Name.',
    example: 'Office chair',
  })
  name: string;

  @Field.string({
    description: 'Description.',
    example: 'Black, with armrests',
    maxLength: 20_000,
    minLength: 0,
    nullable: true,
    required: false,
  })
  description?: string | null;

  @Field.string({
    description: 'Unit; fixed once the item has moved.',
    example: 'pcs',
    maxLength: 12,
    default: 'pcs',
    required: false,
  })
  unit?: string;

  @Field.object(() => ItemUnitDto, {
    description: 'Further units for quantities in calls.',
    example: [{ code: 'box', factor: '12' }],
    list: { maxItems: 10, repeats: true },
    required: false,
  })
  units?: ItemUnitDto[];

  @Field.integer({
    description: 'Decimal places of its quantities; fixed once the item has moved.',
    example: 0,
    minimum: 0,
    maximum: 6,
    default: 0,
    required: false,
  })
  quantity_scale?: number;

  @Field.oneOf(TRACKINGS, {
    description: 'Track stock by lot or serial number; fixed once the item has moved.',
    example: 'none',
    default: 'none',
    required: false,
  })
  tracking?: Tracking;

  @Field.oneOf(VALUATION_METHODS, {
    description: 'How issues are costed; fixed once the item has moved.',
    example: 'average',
    default: 'average',
    required: false,
  })
  valuation_method?: ValuationMethod;

  @Field.decimal({
    description: 'The item is low when no more than this is available.',
    example: '10',
    nullable: true,
    required: false,
  })
  reorder_point?: string | null;

  @Field.decimal({
    description: 'How much to order then.',
    example: '50',
    nullable: true,
    sign: 'positive',
    required: false,
  })
  reorder_quantity?: string | null;

  @Field.string({
    description: 'Barcode, unique in the project.',
    example: '4006381333931',
    maxLength: 64,
    nullable: true,
    required: false,
    isIdentifier: true,
  })
  barcode?: string | null;

  @Field.string({
    description: 'Id in your system, unique in the project.',
    example: 'erp-4711',
    nullable: true,
    required: false,
    isIdentifier: true,
  })
  external_id?: string | null;

  @Field.boolean({
    description: 'false retires the item.',
    example: true,
    default: true,
    required: false,
  })
  active?: boolean;
}

export class UpdateInventoryItemDto extends partialOf(CreateInventoryItemDto, { omit: ['project_id'] }) {}

@Listing({
  sort: ['sku', 'name', 'updated_at'],
  defaultSort: 'sku',
  search: 'search',
  searched: 'SKU, name, barcode and description',
})
export class InventoryItemsQuery extends ListQuery {
  @Filter.uuid({
    description: 'Only items of these projects.',
    example: [EXAMPLE.project],
  })
  project_id?: string[];

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
