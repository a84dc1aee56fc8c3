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

  @Field.email({
    description: 'E-mail address, lower-case; identifies the account at sign-in.',
    example: 'ada@example.com',
  })
  email: string;

  @Field.string({
    description: 'Full name.',
    example: 'Ada Lovelace',
  })
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

  @Field.boolean({
    description: 'Whether signing in requires a second factor.',
    example: true,
  })
  second_factor: boolean;

  @Field.dateTime({
    description: 'When they last signed in, UTC.',
    example: '2026-11-21T09:30:00.000Z',
    nullable: true,
  })
  last_sign_in_at: string | null;

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
      second_factor: member.second_factor_at !== null,
      last_sign_in_at: member.last_sign_in_at?.toISOString() ?? null,
      created_at: member.created_at.toISOString(),
      updated_at: member.updated_at.toISOString(),
    };
  }
}
