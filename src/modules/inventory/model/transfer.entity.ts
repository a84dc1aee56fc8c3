import { Check, Column, Entity, ForeignKey, Index, Unique, VirtualColumn } from 'typeorm';
import { BusinessEntity, TimeColumn, type Actor } from '../../../kit/index.js';
import { StockLocation } from './location.entity.js';
import type { TransferStatus } from './statuses.js';

/** Stock on its way from one location to another. */
@Entity('stock_transfers')
@ForeignKey(() => StockLocation, ['organization_id', 'project_id', 'from_location_id'], ['organization_id', 'project_id', 'id'], {
  name: 'stock_transfers_from_location_id_fkey',
})
@ForeignKey(() => StockLocation, ['organization_id', 'project_id', 'to_location_id'], ['organization_id', 'project_id', 'id'], {
  name: 'stock_transfers_to_location_id_fkey',
})
@Unique('stock_transfers_reference_key', ['organization_id', 'project_id', 'mode', 'id'])
@Unique('stock_transfers_number_key', ['project_id', 'mode', 'number'])
@Index('stock_transfers_number_idx', ['organization_id', 'mode', 'number'])
@Index('stock_transfers_created_at_idx', ['organization_id', 'mode', 'created_at', 'id', 'project_id'])
@Index('stock_transfers_updated_at_idx', ['organization_id', 'mode', 'updated_at', 'id', 'project_id'])
@Index('stock_transfers_open_idx', ['organization_id', 'mode', 'status', 'created_at', 'id', 'project_id'])
@Check('stock_transfers_mode_check', `mode IN ('live', 'test')`)
@Check('stock_transfers_status_check', `status IN ('in_transit', 'partially_received', 'received', 'cancelled')`)
@Check('stock_transfers_to_location_id_check', 'to_location_id <> from_location_id')
@Check('stock_transfers_reference_check', 'length(reference) BETWEEN 1 AND 255')
@Check('stock_transfers_ended_at_check', `(ended_at IS NULL) = (status IN ('in_transit', 'partially_received'))`)
export class StockTransfer extends BusinessEntity {
  /** Such as `TR-12`, or `TEST-TR-1` in test mode. */
  @Column('text')
  number: string;

  @Column('text')
  status: TransferStatus;

  @Column('uuid')
  from_location_id: string;

  @Column('uuid')
  to_location_id: string;

  @Column('text', { nullable: true })
  reference: string | null;

  @TimeColumn({ nullable: true })
  ended_at: Date | null;

  @Column('jsonb')
  created_by: Actor;

  @VirtualColumn({
    type: 'json',
    select: false,
    query: (row) => `SELECT json_build_object('from_location_code', a.code, 'to_location_code', b.code)
      FROM stock_locations a, stock_locations b WHERE a.id = ${row}.from_location_id AND b.id = ${row}.to_location_id`,
  })
  readonly names?: { from_location_code: string; to_location_code: string };
}
