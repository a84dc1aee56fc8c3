import { bothOf, Field, ResourceDto, responseOf, shownOf } from '../../../kit/index.js';
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from './passwords.js';
import type { Member } from './member.entity.js';

const MANAGER = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a65';

/** A member with the name of their role. */
export type MemberWithRole = Omit<Member, 'password_hash' | 'role_id'> & { role: string };

/** The canonical form in which e-mail addresses are stored and compared. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

export class CreateOrgMemberDto {
  @Field.email({
    description: 'E-mail address; stored in lower case, unique over all organizations.',
    example: 'grace@example.com',
  })
  email: string;

  @Field.string({
    description: 'Full name.',
    example: 'Grace Hopper',
  })
  name: string;

  @Field.string({
    description: 'Name of the role. You can assign only roles whose permissions you hold yourself.',
    example: 'developer',
    maxLength: 60,
  })
  role: string;

  @Field.uuid({
    description: 'The active member they report to; null for none.',
    example: MANAGER,
    nullable: true,
    required: false,
  })
  manager_id?: string | null;

  @Field.string({
    description: 'Initial password.',
    example: 'correct horse battery',
    minLength: PASSWORD_MIN_LENGTH,
    maxLength: PASSWORD_MAX_LENGTH,
  })
  password: string;
}

/** A member of the organization. */
export class OrgMemberDto extends bothOf(
  ResourceDto,
  shownOf(CreateOrgMemberDto, {
    email: 'E-mail address, lower-case; identifies the account at sign-in.',
    name: true,
    role: 'Name of the role, which decides the permissions: owner, admin, developer or member.',
    manager_id: 'The member they report to, who receives approvals by the manager.',
  }),
) {
  @Field.constant('member')
  object: string;

  @Field.oneOf(['active', 'inactive'], {
    description: 'An inactive member cannot sign in, and keys bound to them cannot act for them.',
    example: 'active',
  })
  status: string;

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
    return { ...responseOf(OrgMemberDto, member), second_factor: member.second_factor_at !== null };
  }
}
