import { Check, Column, Entity, ForeignKey, Index, Unique, VirtualColumn } from 'typeorm';
import { BusinessEntity, TimeColumn, type Actor, type Decimal } from '../../../kit/index.js';
import { InventoryItem } from './item.entity.js';
import { StockLocation } from './location.entity.js';
import { StockReason } from './reason.entity.js';
import type { CostSource } from './statuses.js';

export const MOVEMENT_KINDS = ['receipt', 'issue', 'transfer', 'count', 'adjust'] as const;
export type MovementKind = (typeof MOVEMENT_KINDS)[number];

/** The part of a movement's change that belongs to one lot. */
export interface LotChange {
  lot_id: string;
  code: string;
  change: Decimal;
}

/** A change of the stock of an item at a location. A trigger rejects updates and deletes. */
@Entity('stock_movements')
@ForeignKey(() => InventoryItem, ['organization_id', 'project_id', 'mode', 'item_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'stock_movements_item_id_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey(() => StockLocation, ['organization_id', 'project_id', 'location_id'], ['organization_id', 'project_id', 'id'], {
  name: 'stock_movements_location_id_fkey',
})
@ForeignKey(() => StockReason, ['organization_id', 'project_id', 'reason'], ['organization_id', 'project_id', 'code'], {
  name: 'stock_movements_reason_fkey',
})
@Unique('stock_movements_sequence_key', ['item_id', 'sequence'])
@Index('stock_movements_created_at_idx', ['organization_id', 'mode', 'created_at', 'id', 'project_id'])
@Index('stock_movements_item_id_idx', ['item_id', 'created_at', 'id'])
@Index('stock_movements_location_id_idx', ['location_id', 'mode', 'created_at', 'id'])
@Index('stock_movements_reference_idx', ['organization_id', 'mode', 'reference', 'created_at', 'id'], { where: 'reference IS NOT NULL' })
@Index('stock_movements_lot_ids_idx', { synchronize: false })
@Index('stock_movements_external_id_key', ['project_id', 'mode', 'external_id'], {
  unique: true,
  where: 'external_id IS NOT NULL',
})
@Index('stock_movements_returned_issue_id_idx', ['returned_issue_id'], { where: 'returned_issue_id IS NOT NULL' })
@Check('stock_movements_mode_check', `mode IN ('live', 'test')`)
@Check('stock_movements_kind_check', `kind IN ('receipt', 'issue', 'transfer', 'count', 'adjust')`)
@Check('stock_movements_cost_source_check', `cost_source IN ('sent', 'issue', 'stock', 'none')`)
@Check('stock_movements_reference_check', 'length(reference) BETWEEN 1 AND 255')
@Check('stock_movements_external_id_check', 'length(external_id) BETWEEN 1 AND 255')
export class StockMovement extends BusinessEntity {
  @Column('uuid')
  item_id: string;

  @Column('uuid')
  location_id: string;

  @Column('text')
  kind: MovementKind;

  /** Numbers the movements of the item in the order of recording, from 1. */
  @Column('integer')
  sequence: number;

  /** The requested quantity in the item's unit; for a count, the counted one. */
  @Column('numeric', {
    precision: 18,
    scale: 6,
  })
  quantity: Decimal;

  /** Of what is on hand at the location. */
  @Column('numeric', {
    precision: 18,
    scale: 6,
  })
  change: Decimal;

  /** Of the item's value. */
  @Column('bigint')
  cost_amount: number;

  /** Null if nothing entered, and for movements from before it was recorded. */
  @Column('text', { nullable: true })
  cost_source: CostSource | null;

  @Column('numeric', {
    precision: 18,
    scale: 6,
  })
  on_hand_after: Decimal;

  /** On hand and incoming, over all locations. */
  @Column('numeric', {
    precision: 18,
    scale: 6,
  })
  item_quantity_after: Decimal;

  @Column('bigint')
  item_value_after: number;

  @Column('jsonb', { default: [] })
  lots: LotChange[];

  /** The lots, for the filter. */
  @Column('uuid', {
    array: true,
    default: '{}',
  })
  lot_ids: string[];

  @Column('text', { nullable: true })
  reason: string | null;

  @Column('text', { nullable: true })
  reference: string | null;

  @Column('text', { nullable: true })
  external_id: string | null;

  @TimeColumn()
  occurred_at: Date;

  @Column('uuid', { nullable: true })
  transfer_id: string | null;

  @Column('uuid', { nullable: true })
  reservation_id: string | null;

  /** The issue that a receipt takes back; a trigger refuses more than was issued. */
  @Column('uuid', { nullable: true })
  returned_issue_id: string | null;

  @Column('jsonb')
  created_by: Actor;

  @VirtualColumn({
    type: 'json',
    select: false,
    query: (row) => `SELECT json_build_object('sku', i.sku, 'item_name', i.name, 'location_code', l.code)
      FROM inventory_items i, stock_locations l WHERE i.id = ${row}.item_id AND l.id = ${row}.location_id`,
  })
  readonly names?: { sku: string; item_name: string; location_code: string };
}
