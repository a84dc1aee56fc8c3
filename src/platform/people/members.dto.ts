import { Field, Filter, Listing, ListQuery, pickOf, ResourceDto } from '../../kit/index.js';
import type { Member } from './member.entity.js';
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from './passwords.js';

const MANAGER = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a65';

/** A member with the name of their role. */
export type MemberWithRole = Omit<Member, 'password_hash' | 'role_id'> & { role: string };

/** The form in which e-mail addresses are stored and compared. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** A person of the organisation. */
export class OrgMemberDto extends ResourceDto {
  @Field.constant('member')
  object: string;

  @Field.email({ description: 'E-mail address, lower-case; names the account at sign-in.', example: 'ada@example.com' })
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
    description: 'The member they report to, who is asked where an approval goes to the manager.',
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

export class CreateOrgMemberDto {
  @Field.email({ description: 'E-mail address; stored in lower case, unique over all organisations.', example: 'grace@example.com' })
  email: string;

  @Field.string({ description: 'Full name.', example: 'Grace Hopper' })
  name: string;

  @Field.string({
    description: 'Name of the role. You can give only roles whose permissions you hold yourself.',
    example: 'developer',
    maxLength: 60,
  })
  role: string;

  @Field.uuid({
    description: 'The active member they report to.',
    example: MANAGER,
    nullable: true,
    required: false,
  })
  manager_id?: string | null;

  @Field.string({
    description: 'First password, to be handed over in person.',
    example: 'correct horse battery',
    minLength: PASSWORD_MIN_LENGTH,
    maxLength: PASSWORD_MAX_LENGTH,
  })
  password: string;
}

export class UpdateOrgMemberDto {
  @Field.string({
    description: 'Full name.',
    example: 'Grace Hopper',
    required: false,
  })
  name?: string;

  @Field.string({
    description: 'Name of the role. You can give and take only roles whose permissions you hold yourself.',
    example: 'admin',
    maxLength: 60,
    required: false,
  })
  role?: string;

  @Field.oneOf(['active', 'inactive'], {
    description: 'Deactivating ends all sessions of the member.',
    example: 'inactive',
    required: false,
  })
  status?: 'active' | 'inactive';

  @Field.uuid({
    description: 'The active member they report to, never themselves; null for none.',
    example: MANAGER,
    nullable: true,
    required: false,
  })
  manager_id?: string | null;

  @Field.string({
    description: 'New password; ends all sessions of the member.',
    example: 'correct horse battery',
    minLength: PASSWORD_MIN_LENGTH,
    maxLength: PASSWORD_MAX_LENGTH,
    required: false,
  })
  password?: string;
}

@Listing({ sort: ['created_at'], defaultSort: 'created_at' })
export class OrgMembersQuery extends ListQuery {
  @Filter.oneOf(['active', 'inactive'], { description: 'Only members of this status.', example: 'active' })
  status?: string[];

  @Filter.string({ description: 'Only the member with this e-mail address, in lower case.', example: 'ada@example.com' })
  email?: string[];
}

/** What signing in takes. */
export class SignInDto extends pickOf(CreateOrgMemberDto, ['email']) {
  @Field.string({
    description: 'Password.',
    example: 'correct horse battery',
    maxLength: PASSWORD_MAX_LENGTH,
  })
  password: string;
}
