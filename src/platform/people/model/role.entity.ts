import { Column, Entity, ForeignKey, Index, Unique, VirtualColumn } from 'typeorm';
import { OrganizationEntity } from '../../../kit/index.js';
import { Organization } from './organization.entity.js';

/** A named set of permissions; the built-in ones are in `roles.ts`. */
@Entity('roles')
@ForeignKey(() => Organization, ['organization_id'], ['id'], { name: 'roles_organization_fkey' })
@Unique('roles_organization_id_id_key', ['organization_id', 'id'])
@Unique('roles_organization_id_name_key', ['organization_id', 'name'])
@Index('roles_created_at_idx', ['organization_id', 'created_at', 'id'])
export class Role extends OrganizationEntity {
  @Column('text')
  name: string;

  @Column('text', { nullable: true })
  description: string | null;

  /** Whether it is a default role, which organizations cannot change. */
  @Column('boolean', { default: false })
  built_in: boolean;

  @VirtualColumn({
    type: 'integer',
    query: (role) => `SELECT count(*)::int FROM members m WHERE m.role_id = ${role}.id`,
  })
  member_count: number;

  @Column('text', { array: true })
  permissions: string[];
}
