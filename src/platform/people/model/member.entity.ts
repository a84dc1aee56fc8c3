import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { OrganizationEntity, TimeColumn } from '../../../kit/index.js';
import { Organization } from './organization.entity.js';
import { Role } from './role.entity.js';

/** A member of an organization. Never deleted: their actions must stay attributable. */
@Entity('members')
@ForeignKey(() => Organization, ['organization_id'], ['id'], { name: 'members_organization_fkey' })
@ForeignKey(() => Role, ['organization_id', 'role_id'], ['organization_id', 'id'], { name: 'members_role_fkey' })
@Unique('members_organization_id_id_key', ['organization_id', 'id'])
@Unique('members_email_key', ['organization_id', 'email'])
@Index('members_email_idx', ['email'])
@Check('members_email_check', `email = lower(email)`)
@Check('members_manager_id_check', `manager_id <> id`)
@Check('members_status_check', `status IN ('active', 'inactive')`)
@ForeignKey(() => Member, ['organization_id', 'manager_id'], ['organization_id', 'id'], { name: 'members_manager_fkey' })
@Index('members_manager_id_idx', ['manager_id'], { where: 'manager_id IS NOT NULL' })
@Index('members_role_id_idx', ['role_id'])
@Index('members_created_at_idx', ['organization_id', 'created_at', 'id'])
export class Member extends OrganizationEntity {
  /** Lower-case. Unique within the organization only: adding a member must not reveal who belongs to another one. */
  @Column('text')
  email: string;

  @Column('text')
  name: string;

  /** Argon2id, in its standard encoding. Not selected, so that no response can contain it. */
  @Column('text', { select: false })
  password_hash: string;

  @Column('uuid')
  role_id: string;

  @Column('text', { default: 'active' })
  status: 'active' | 'inactive';

  /** Since when signing in requires a second factor; null if it does not. */
  @TimeColumn({ nullable: true })
  second_factor_at: Date | null;

  /** Written at the sign-in without a new `version`. */
  @TimeColumn({ nullable: true })
  last_sign_in_at: Date | null;

  /** The member they report to. */
  @Column('uuid', { nullable: true })
  manager_id: string | null;
}
