import {
  ActorDto,
  ActorField,
  bothOf,
  Field,
  partialOf,
  plainDecimal,
  ResourceDto,
  responseOf,
  shownOf,
  type CustomFieldValues,
} from '../../../kit/index.js';
import { EXAMPLE } from '../model/example-ids.js';
import { NO_STOCK, TRACKINGS, VALUATION_METHODS, type InventoryItem, type StockFigures, type Tracking } from '../model/item.entity.js';
import type { ValuationMethod } from '../model/item.entity.js';
import { decimalOf, quantityOf } from '../model/quantities.js';

/** Another unit in which quantities of an item can be given. */
export class ItemUnitDto {
  @Field.string({
    description: 'Code of the unit, such as box.',
    example: 'box',
    maxLength: 12,
  })
  code: string;

  @Field.decimal({
    description: "How many of the item's unit one of it is.",
    example: '12',
    sign: 'positive',
  })
  factor: string;
}

export class CreateInventoryItemDto {
  @Field.uuid({
    description: 'Project of the item.',
    example: EXAMPLE.project,
    required: false,
    onCreate: 'The default project if omitted.',
  })
  project_id?: string;

  @Field.string({
    summary: true,
    description: 'Stock keeping unit, unique in the project.',
    example: 'CHAIR-02',
    maxLength: 64,
    isIdentifier: true,
  })
  sku: string;

  @Field.string({
    summary: true,
    description: 'Name of the item.',
    example: 'Office chair',
  })
  name: string;

  @Field.string({
    description: 'Description of the item.',
    example: 'Black, with armrests',
    maxLength: 20_000,
    minLength: 0,
    nullable: true,
    required: false,
  })
  description?: string | null;

  @Field.string({
    summary: true,
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
    summary: true,
    description: 'false retires the item.',
    example: true,
    default: true,
    required: false,
  })
  active?: boolean;

  @Field.customFields('inventory_item')
  custom_fields?: CustomFieldValues;
}

export class UpdateInventoryItemDto extends partialOf(CreateInventoryItemDto, { omit: ['project_id'] }) {}

/** Something that is kept in stock, with its stock over all locations. */
export class InventoryItemDto extends bothOf(
  ResourceDto,
  shownOf(CreateInventoryItemDto, {
    project_id: true,
    sku: true,
    name: true,
    description: true,
    unit: 'Unit of all quantities in responses.',
    units: 'Further units in which calls can give quantities.',
    quantity_scale: 'Decimal places of its quantities.',
    tracking: 'Whether stock is tracked by lot or by serial number.',
    valuation_method: 'How issues are costed: by the average cost or first in, first out.',
    reorder_point: true,
    reorder_quantity: true,
    barcode: true,
    external_id: true,
    active: 'Whether the item is in use; an inactive one receives no stock and cannot be reserved.',
    custom_fields: 'Custom fields by key.',
  }),
) {
  @Field.constant('inventory_item')
  object: string;

  @Field.decimal({
    summary: true,
    description: 'On hand, over all locations.',
    example: '40',
  })
  on_hand: string;

  @Field.decimal({
    description: 'The part that is kept for reservations.',
    example: '12',
  })
  reserved: string;

  @Field.decimal({
    summary: true,
    description: 'What can be reserved or issued: on_hand less reserved and expired stock.',
    example: '28',
  })
  available: string;

  @Field.decimal({
    description: 'In transit between locations; part of no location.',
    example: '0',
  })
  incoming: string;

  @Field.boolean({
    summary: true,
    description: 'Whether available is at or below reorder_point.',
    example: false,
  })
  low: boolean;

  @Field.amount({
    description: 'Value of what is on hand and incoming, in the minor unit of currency.',
    example: 199960,
  })
  value_amount: number;

  @Field.string({
    description: 'ISO 4217 code of the currency of the project.',
    example: 'EUR',
    maxLength: 3,
  })
  currency: string;

  @ActorField('Who created it.')
  created_by: ActorDto;

  /** Uses the figures that were read with the item, unless others are given. */
  static from(this: void, item: InventoryItem, stock: StockFigures = item.stock ?? NO_STOCK): InventoryItemDto {
    const plain = (decimal: string | null) => (decimal === null ? null : plainDecimal(decimal));
    return {
      ...responseOf(InventoryItemDto, item),
      reorder_point: plain(item.reorder_point),
      reorder_quantity: plain(item.reorder_quantity),
      on_hand: plainDecimal(stock.on_hand),
      reserved: plainDecimal(stock.reserved),
      available: decimalOf(quantityOf(stock.on_hand) - quantityOf(stock.reserved) - quantityOf(stock.held)),
      incoming: plainDecimal(stock.incoming),
      value_amount: stock.value_amount,
    };
  }
}
