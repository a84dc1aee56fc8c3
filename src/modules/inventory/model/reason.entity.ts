import { Check, Column, Entity, ForeignKey, Unique } from 'typeorm';
import { ConfigurationEntity } from '../../../kit/index.js';

/** A reason for movements. Movements store the code, which therefore never changes. */
@Entity('stock_reasons')
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'stock_reasons_project_id_fkey' })
@Unique('stock_reasons_code_key', ['organization_id', 'project_id', 'code'])
@Check('stock_reasons_project_id_check', 'project_id IS NOT NULL')
@Check('stock_reasons_code_check', `code ~ '^[a-z][a-z0-9_]{0,31}$'`)
@Check('stock_reasons_name_check', 'length(name) BETWEEN 1 AND 100')
export class StockReason extends ConfigurationEntity {
  declare project_id: string;

  @Column('text')
  code: string;

  @Column('text')
  name: string;

  @Column('boolean', { default: true })
  active: boolean;
}
