import { Field, Filter, Listing, ListQuery, partialOf } from '../../../kit/index.js';
import { CreateOrgMemberDto } from '../model/member.dto.js';
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../model/passwords.js';

export class UpdateOrgMemberDto extends partialOf(CreateOrgMemberDto, { omit: ['email', 'role', 'password'] }) {
  @Field.string({
    description: 'Name of the role. You can assign and remove only roles whose permissions you hold yourself.',
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

  @Field.string({
    description: 'New password; ends all sessions of the member.',
    example: 'correct horse battery',
    minLength: PASSWORD_MIN_LENGTH,
    maxLength: PASSWORD_MAX_LENGTH,
    required: false,
  })
  password?: string;
}

@Listing({
  sort: ['created_at'],
  defaultSort: 'created_at',
})
export class OrgMembersQuery extends ListQuery {
  @Filter.uuid({
    description: 'Only the members with these ids.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60',
  })
  id?: string[];

  @Filter.oneOf(['active', 'inactive'], {
    description: 'Only members of this status.',
    example: 'active',
  })
  status?: string[];

  @Filter.custom({
    kind: 'string',
    minLength: 1,
    maxLength: 60,
    description: 'Only members with these roles.',
    example: 'developer',
    list: { maxItems: 50 },
  })
  role?: string[];

  @Filter.string({
    description: 'Only the member with this e-mail address, in lower case.',
    example: 'ada@example.com',
  })
  email?: string[];
}
