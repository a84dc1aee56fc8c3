import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { CommonErrors, constantList, Ctx, Endpoint, Id, listBody, type ListBody } from '../../../kit/index.js';
import { PeopleErrors } from '../model/people.errors.js';
import { PermissionRegistry } from '../../registry/permission-registry.js';
import type { Role } from '../model/role.entity.js';
import { CopyRoleDto, CreateRoleDto, PermissionDto, PermissionsQuery, RoleDto, RolesQuery, UpdateRoleDto } from './roles.dto.js';
import { RolesService } from './roles.service.js';

const permission = 'org.members.manage';

@Controller('api/v1/org')
export class RolesController {
  constructor(
    private readonly roles: RolesService,
    private readonly known: PermissionRegistry,
  ) {}

  @Get('permissions')
  @Endpoint({
    operation: 'list_permissions',
    summary: 'List the permissions that roles can have',
    permission: null,
    returns: PermissionDto,
    list: true,
  })
  permissions(@Query() query: PermissionsQuery): ListBody<PermissionDto> {
    const sorted = this.known.all.toSorted((one, other) => (one.name < other.name ? -1 : 1));
    return constantList(sorted, query, ({ name, title, group }) => ({ object: 'permission', name, description: title, group }));
  }

  @Get('roles')
  @Endpoint({
    operation: 'list_roles',
    summary: 'List roles',
    permission: null,
    returns: RoleDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: RolesQuery): Promise<ListBody<RoleDto>> {
    return listBody(await this.roles.page(ctx, query), (role) => this.dtoOf(role));
  }

  @Get('roles/:id')
  @Endpoint({
    operation: 'get_role',
    summary: 'Get a role',
    permission: null,
    returns: RoleDto,
  })
  async get(@Ctx() ctx: Ctx, @Id() id: string): Promise<RoleDto> {
    return this.dtoOf(await this.roles.get(ctx, id));
  }

  @Post('roles')
  @Endpoint({
    operation: 'create_role',
    summary: 'Create a role',
    permission,
    confirmation: true,
    returns: RoleDto,
    status: 201,
    errors: [CommonErrors.duplicate],
  })
  async create(@Ctx() ctx: Ctx, @Body() body: CreateRoleDto): Promise<RoleDto> {
    return this.dtoOf(await this.roles.create(ctx, body));
  }

  @Post('roles/:id/copy')
  @Endpoint({
    operation: 'copy_role',
    summary: 'Create a role with the permissions of another',
    permission,
    confirmation: true,
    returns: RoleDto,
    status: 201,
    errors: [CommonErrors.duplicate],
    description: 'You can copy only roles whose permissions you have yourself. The description is copied too, unless another is given.',
  })
  async copy(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: CopyRoleDto): Promise<RoleDto> {
    return this.dtoOf(await this.roles.copy(ctx, id, body));
  }

  @Patch('roles/:id')
  @Endpoint({
    operation: 'update_role',
    summary: 'Change a role',
    permission,
    confirmation: true,
    returns: RoleDto,
    errors: [CommonErrors.resourceConflict],
    description:
      'Applies to the next request of its members, and to API keys that are bound to them. You must have all permissions that the ' +
      'role has before and after the change.',
  })
  async update(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateRoleDto): Promise<RoleDto> {
    return this.dtoOf(await this.roles.update(ctx, id, body));
  }

  @Delete('roles/:id')
  @Endpoint({
    operation: 'delete_role',
    summary: 'Delete a role',
    permission,
    confirmation: true,
    returns: null,
    errors: [CommonErrors.resourceConflict, PeopleErrors.roleInUse],
    description: 'Fails with role_in_use, which lists the holders, while members or invitations have it.',
  })
  async delete(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    await this.roles.delete(ctx, id);
  }

  private dtoOf(role: Role): RoleDto {
    return RoleDto.from({ ...role, permissions: this.known.declared(role.permissions) });
  }
}
