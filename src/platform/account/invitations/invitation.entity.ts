import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { OrganizationEntity, TimeColumn } from '../../../kit/index.js';
import { Member } from '../../people/model/member.entity.js';
import { Organization } from '../../people/model/organization.entity.js';
import { Role } from '../../people/model/role.entity.js';

/** An invitation to become a member; deleted when it is accepted or withdrawn. */
@Entity('member_invitations')
@ForeignKey(() => Organization, ['organization_id'], ['id'], { name: 'member_invitations_organization_fkey' })
@ForeignKey(() => Role, ['organization_id', 'role_id'], ['organization_id', 'id'], { name: 'member_invitations_role_fkey' })
@ForeignKey(() => Member, ['organization_id', 'manager_id'], ['organization_id', 'id'], { name: 'member_invitations_manager_fkey' })
@ForeignKey(() => Member, ['organization_id', 'invited_by'], ['organization_id', 'id'], { name: 'member_invitations_invited_by_fkey' })
@Unique('member_invitations_email_key', ['organization_id', 'email'])
@Unique('member_invitations_token_hash_key', ['token_hash'])
@Check('member_invitations_email_check', `email = lower(email)`)
@Index('member_invitations_created_at_idx', ['organization_id', 'created_at', 'id'])
@Index('member_invitations_expires_at_idx', ['expires_at'])
export class Invitation extends OrganizationEntity {
  @Column('text')
  email: string;

  @Column('text')
  name: string;

  @Column('uuid')
  role_id: string;

  @Column('uuid', { nullable: true })
  manager_id: string | null;

  /** The member who invited; null for the suite itself. */
  @Column('uuid', { nullable: true })
  invited_by: string | null;

  @Column('text', { select: false })
  token_hash: string;

  @TimeColumn()
  expires_at: Date;
}
