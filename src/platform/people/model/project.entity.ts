import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { OrganizationEntity } from '../../../kit/index.js';
import { Organization } from './organization.entity.js';

@Entity('projects')
@ForeignKey(() => Organization, ['organization_id'], ['id'], { name: 'projects_organization_fkey' })
@Unique('projects_organization_id_id_key', ['organization_id', 'id'])
@Unique('projects_organization_id_key_key', ['organization_id', 'key'])
@Check('projects_key_check', `key ~ '^[A-Z][A-Z0-9]{1,9}$'`)
@Check('projects_status_check', `status IN ('active', 'archived')`)
@Index('projects_default_key', ['organization_id'], {
  unique: true,
  where: 'is_default',
})
@Index('projects_created_at_idx', ['organization_id', 'created_at', 'id'])
export class Project extends OrganizationEntity {
  @Column('text')
  key: string;

  @Column('text')
  name: string;

  @Column('text', { nullable: true })
  description: string | null;

  @Column('text', { default: 'active' })
  status: 'active' | 'archived';

  @Column('text', { default: 'UTC' })
  timezone: string;

  @Column('boolean', { default: false })
  is_default: boolean;
}
