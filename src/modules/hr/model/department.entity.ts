import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { BusinessEntity, type Actor } from '../../../kit/index.js';

@Entity('hr_departments')
@ForeignKey('projects', ['organization_id', 'project_id'], ['organization_id', 'id'], { name: 'hr_departments_project_id_fkey' })
@ForeignKey(() => Department, ['organization_id', 'project_id', 'mode', 'parent_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'hr_departments_parent_id_fkey',
})
@ForeignKey('hr_employees', ['head_id'], ['id'], {
  name: 'hr_departments_head_id_fkey',
  onDelete: 'SET NULL',
})
@Unique('hr_departments_reference_key', ['organization_id', 'project_id', 'mode', 'id'])
@Index('hr_departments_name_key', { synchronize: false })
@Index('hr_departments_name_idx', ['organization_id', 'mode', 'name', 'id', 'project_id'])
@Index('hr_departments_parent_id_idx', ['parent_id'], { where: 'parent_id IS NOT NULL' })
@Index('hr_departments_head_id_idx', ['head_id'], { where: 'head_id IS NOT NULL' })
@Check('hr_departments_mode_check', `mode IN ('live', 'test')`)
@Check('hr_departments_name_check', 'length(name) BETWEEN 1 AND 100')
@Check('hr_departments_parent_id_check', 'parent_id <> id')
export class Department extends BusinessEntity {
  @Column('text')
  name: string;

  @Column('uuid', { nullable: true })
  parent_id: string | null;

  /** May be in another project; only keys of that project see it. */
  @Column('uuid', { nullable: true })
  head_id: string | null;

  @Column('uuid', { nullable: true })
  head_project_id: string | null;

  @Column('jsonb')
  created_by: Actor;
}
