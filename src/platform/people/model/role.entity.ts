import { Column, Entity, ForeignKey, Unique } from 'typeorm';
import { OrganizationEntity } from '../../../kit/index.js';
import { Organization } from './organization.entity.js';

/** A named set of permissions; the defaults are in `roles.ts`. */
@Entity('roles')
@ForeignKey(() => Organization, ['organization_id'], ['id'], { name: 'roles_organization_fkey' })
@Unique('roles_organization_id_id_key', ['organization_id', 'id'])
@Unique('roles_organization_id_name_key', ['organization_id', 'name'])
export class Role extends OrganizationEntity {
  @Column('text')
  name: string;

  @Column('text', { array: true })
  permissions: string[];
}
