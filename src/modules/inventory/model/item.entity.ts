import { Check, Column, Entity, ForeignKey, Index, Unique, VirtualColumn } from 'typeorm';
import { BusinessEntity, CustomFields, type Actor, type CustomFieldValues, type Decimal } from '../../../kit/index.js';
import { InventorySettings } from './inventory-settings.entity.js';

export const TRACKINGS = ['none', 'lot', 'serial'] as const;
export type Tracking = (typeof TRACKINGS)[number];

export const VALUATION_METHODS = ['average', 'fifo'] as const;
export type ValuationMethod = (typeof VALUATION_METHODS)[number];

/** Another unit in which quantities can be given: one of it is `factor` of the item's unit. */
export interface ItemUnit {
  code: string;
  factor: Decimal;
}

/** An item's stock over all locations. */
export interface StockFigures {
  on_hand: Decimal;
  reserved: Decimal;
  held: Decimal;
  incoming: Decimal;
  value_amount: number;
}

export const NO_STOCK: StockFigures = { on_hand: '0', reserved: '0', held: '0', incoming: '0', value_amount: 0 };

/** An item that is kept in stock. Its quantities are in `stock_totals`, because they change much more often. */
@Entity('inventory_items')
@Unique('inventory_items_reference_key', ['organization_id', 'project_id', 'mode', 'id'])
@ForeignKey(() => InventorySettings, ['organization_id', 'project_id', 'currency'], ['organization_id', 'project_id', 'currency'], {
  name: 'inventory_items_currency_fkey',
})
@Index('inventory_items_sku_key', { synchronize: false })
@Index('inventory_items_external_id_key', ['project_id', 'mode', 'external_id'], {
  unique: true,
  where: 'external_id IS NOT NULL',
})
@Index('inventory_items_sku_idx', ['organization_id', 'mode', 'sku', 'id', 'project_id'])
@Index('inventory_items_name_idx', ['organization_id', 'mode', 'name', 'id', 'project_id'])
@Index('inventory_items_updated_at_idx', ['organization_id', 'mode', 'updated_at', 'id', 'project_id'])
@Index('inventory_items_barcode_idx', ['organization_id', 'mode', 'barcode'], { where: 'barcode IS NOT NULL' })
@Index('inventory_items_low_idx', ['organization_id', 'mode', 'sku', 'id', 'project_id'], { where: 'low' })
@Index('inventory_items_search_idx', { synchronize: false })
@Check('inventory_items_mode_check', `mode IN ('live', 'test')`)
@Check('inventory_items_sku_check', 'length(sku) BETWEEN 1 AND 64')
@Check('inventory_items_name_check', 'length(name) BETWEEN 1 AND 255')
@Check('inventory_items_description_check', 'length(description) <= 20000')
@Check('inventory_items_unit_check', 'length(unit) BETWEEN 1 AND 12')
@Check('inventory_items_quantity_scale_check', 'quantity_scale BETWEEN 0 AND 6')
@Check('inventory_items_tracking_check', `tracking IN ('none', 'lot', 'serial') AND (tracking <> 'serial' OR quantity_scale = 0)`)
@Check('inventory_items_valuation_method_check', `valuation_method IN ('average', 'fifo')`)
@Check('inventory_items_reorder_point_check', 'reorder_point >= 0')
@Check('inventory_items_reorder_quantity_check', 'reorder_quantity > 0')
@Index('inventory_items_barcode_key', ['project_id', 'mode', 'barcode'], {
  unique: true,
  where: 'barcode IS NOT NULL AND NOT barcode_repeats',
})
@Check('inventory_items_barcode_check', 'length(barcode) BETWEEN 1 AND 64')
@Check('inventory_items_custom_fields_check', `jsonb_typeof(custom_fields) = 'object'`)
@Check('inventory_items_external_id_check', 'length(external_id) BETWEEN 1 AND 255')
export class InventoryItem extends BusinessEntity {
  @Column('text')
  sku: string;

  @Column('text')
  name: string;

  @Column('text', { nullable: true })
  description: string | null;

  @Column('text')
  unit: string;

  @Column('jsonb', { default: [] })
  units: ItemUnit[];

  /** Decimal places of its quantities. */
  @Column('smallint')
  quantity_scale: number;

  @Column('text')
  tracking: Tracking;

  @Column('text')
  valuation_method: ValuationMethod;

  @Column('numeric', {
    precision: 18,
    scale: 6,
    nullable: true,
  })
  reorder_point: Decimal | null;

  @Column('numeric', {
    precision: 18,
    scale: 6,
    nullable: true,
  })
  reorder_quantity: Decimal | null;

  @Column('text', { nullable: true })
  barcode: string | null;

  /** Whether the barcode was also that of an earlier item when barcodes became unique in a project. */
  @Column('boolean', { default: false })
  barcode_repeats: boolean;

  @Column('text', { nullable: true })
  external_id: string | null;

  @Column('boolean', { default: true })
  active: boolean;

  /** Whether the available quantity is at most the reorder point. Changing it does not raise the version. */
  @Column('boolean', { default: false })
  low: boolean;

  /** The project's; the foreign key keeps both equal. */
  @Column('text')
  currency: string;

  @Column('jsonb')
  created_by: Actor;

  @CustomFields('inventory_item')
  custom_fields: CustomFieldValues;

  /** Search vector of SKU, name, barcode and description; maintained by a trigger. */
  @Column({
    type: 'tsvector',
    nullable: true,
    select: false,
    insert: false,
    update: false,
  })
  search: string | null;

  @VirtualColumn({
    type: 'json',
    // as text, because a JSON number is not exact
    query: (alias) => `SELECT json_build_object('on_hand', s.on_hand::text, 'reserved', s.reserved::text, 'held', s.held::text,
      'incoming', s.incoming::text, 'value_amount', s.value_amount) FROM stock_totals s WHERE s.id = ${alias}.id`,
  })
  readonly stock?: StockFigures;
}
