import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { ConfigurationEntity } from '../../../kit/index.js';

/** A location of stock: a warehouse, a shop, quarantine. */
@Entity('stock_locations')
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'stock_locations_project_id_fkey' })
@Unique('stock_locations_reference_key', ['organization_id', 'project_id', 'id'])
@Index('stock_locations_code_key', { synchronize: false })
@Check('stock_locations_project_id_check', 'project_id IS NOT NULL')
@Check('stock_locations_code_check', 'length(code) BETWEEN 1 AND 32')
@Check('stock_locations_name_check', 'length(name) BETWEEN 1 AND 100')
@Check('stock_locations_position_check', 'position BETWEEN 1 AND 10000')
export class StockLocation extends ConfigurationEntity {
  declare project_id: string;

  @Column('text')
  code: string;

  @Column('text')
  name: string;

  /** Whether reservations that name no location may take stock from here. */
  @Column('boolean', { default: true })
  sellable: boolean;

  /** Such reservations try locations in this order. */
  @Column('integer')
  position: number;

  @Column('boolean', { default: true })
  active: boolean;
}
