import { bothOf, Field, Listing, ListQuery, LookupQuery, partialOf, pickOf, ResourceDto, responseOf, shownOf } from '../../../kit/index.js';
import { PERMISSION_FORMAT } from '../../registry/permission-registry.js';
import type { Role } from '../model/role.entity.js';

const MOST_PERMISSIONS = 200;

export class CreateRoleDto {
  @Field.string({
    description: 'Name, unique in the organization, ignoring case.',
    example: 'support',
    maxLength: 60,
  })
  name: string;

  @Field.string({
    description: 'What the role is for.',
    example: 'Can view keys but not change them',
    nullable: true,
    required: false,
    maxLength: 500,
    minLength: 0,
  })
  description?: string | null;

  @Field.string({
    description:
      'What its members may do: names of permissions, as GET /api/v1/org/permissions lists them. You can give only permissions that you ' +
      'have yourself.',
    maxLength: 100,
    format: PERMISSION_FORMAT,
    example: ['org.developer.logs.view'],
    list: { maxItems: MOST_PERMISSIONS },
  })
  permissions: string[];
}

export class CopyRoleDto extends pickOf(CreateRoleDto, ['name', 'description']) {}

export class UpdateRoleDto extends partialOf(CreateRoleDto, { omit: ['name'] }) {}

/** A named set of permissions. */
export class RoleDto extends bothOf(
  ResourceDto,
  shownOf(CreateRoleDto, {
    name: 'Name; it cannot be changed, because approval routes refer to it.',
    description: true,
    permissions: 'Names of permissions, as GET /api/v1/org/permissions explains them.',
  }),
) {
  @Field.constant('role')
  object: string;

  @Field.boolean({
    description: 'Whether every organization has it. Built-in roles cannot be changed; copy them.',
    example: false,
  })
  built_in: boolean;

  @Field.integer({
    description: 'Number of members who have it, inactive ones too.',
    example: 3,
    minimum: 0,
  })
  member_count: number;

  static from(this: void, row: Role): RoleDto {
    return responseOf(RoleDto, row);
  }
}

@Listing({
  sort: ['created_at'],
  defaultSort: 'created_at',
})
export class RolesQuery extends ListQuery {}

/** A permission that roles can have. */
export class PermissionDto {
  @Field.constant('permission')
  object: string;

  @Field.string({
    description: 'Name.',
    example: 'org.developer.logs.view',
  })
  name: string;

  @Field.string({
    description: 'What it permits.',
    example: 'See the request log and its analytics',
  })
  description: string;

  @Field.string({
    description: 'The subject under which the console shows it.',
    example: 'Developer area',
  })
  group: string;
}

@Listing({
  sort: ['name'],
  defaultSort: 'name',
})
export class PermissionsQuery extends LookupQuery {}
