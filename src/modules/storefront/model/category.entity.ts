import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { BaseEntity, Scoped } from '../../../kit/index.js';

@Scoped('configuration')
@Entity('storefront_categories')
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'storefront_categories_project_id_fkey' })
@Index('storefront_categories_name_key', { synchronize: false })
@Index('storefront_categories_position_idx', ['organization_id', 'position', 'id', 'project_id'])
@Index('storefront_categories_created_at_idx', ['organization_id', 'created_at', 'id', 'project_id'])
@Check('storefront_categories_project_id_check', 'project_id IS NOT NULL')
@Check('storefront_categories_name_check', 'length(name) BETWEEN 1 AND 100')
export class Category extends BaseEntity {
  @Column('uuid')
  project_id: string;

  @Column('text')
  name: string;

  /** Position in the list, from 1. */
  @Column('integer')
  position: number;

  @Column('boolean', { default: true })
  active: boolean;
}
