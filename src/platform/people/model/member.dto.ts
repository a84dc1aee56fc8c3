import { Field, ResourceDto } from '../../../kit/index.js';
import type { Member } from './member.entity.js';

const MANAGER = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a65';

/** A member with the name of their role. */
export type MemberWithRole = Omit<Member, 'password_hash' | 'role_id'> & { role: string };

/** The canonical form in which e-mail addresses are stored and compared. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** A member of the organization. */
export class OrgMemberDto extends ResourceDto {
  @Field.constant('member')
  object: string;

  @Field.email({ description: 'E-mail address, lower-case; identifies the account at sign-in.', example: 'ada@example.com' })
  email: string;

  @Field.string({ description: 'Full name.', example: 'Ada Lovelace' })
  name: string;

  @Field.string({
    description: 'Name of the role, which decides the permissions: owner, admin, developer or member.',
    example: 'developer',
  })
  role: string;

  @Field.oneOf(['active', 'inactive'], {
    description: 'An inactive member cannot sign in, and keys bound to them cannot act for them.',
    example: 'active',
  })
  status: string;

  @Field.uuid({
    description: 'The member they report to, who receives approvals by the manager.',
    example: MANAGER,
    nullable: true,
  })
  manager_id: string | null;

  static from(this: void, member: MemberWithRole): OrgMemberDto {
    const { id, version, email, name, role, status, manager_id } = member;
    return {
      id,
      object: 'member',
      version,
      email,
      name,
      role,
      status,
      manager_id,
      created_at: member.created_at.toISOString(),
      updated_at: member.updated_at.toISOString(),
    };
  }
}
