import { Injectable } from '@nestjs/common';
import { CommonErrors, Store, type Ctx, type ListQuery, type Page, type Tx } from '../../../kit/index.js';
import { platformSql } from '../../../kit/internal.js';
import { PermissionRegistry } from '../../registry/permission-registry.js';
import { KeyChanges } from '../../key-changes/key-changes.js';
import { Member } from '../model/member.entity.js';
import { PeopleErrors } from '../model/people.errors.js';
import { Role } from '../model/role.entity.js';
import type { CopyRoleDto, CreateRoleDto, UpdateRoleDto } from './roles.dto.js';

const NAMED_HOLDERS = 5;
const LISTED_HOLDERS = 50;

/** An organization's own roles beside the built-in ones. */
@Injectable()
export class RolesService {
  constructor(
    private readonly store: Store,
    private readonly keyChanges: KeyChanges,
    private readonly known: PermissionRegistry,
  ) {}

  page(ctx: Ctx, query: ListQuery): Promise<Page<Role>> {
    return this.store.page(ctx, Role, query);
  }

  get(ctx: Ctx, id: string): Promise<Role> {
    return this.store.get(ctx, Role, id);
  }

  create(ctx: Ctx, { name, description, permissions }: CreateRoleDto): Promise<Role> {
    this.requireDeclared(permissions);
    this.requireHeld(ctx, permissions, 'permissions');
    return this.insert(ctx, name, description ?? null, () => Promise.resolve(permissions));
  }

  copy(ctx: Ctx, id: string, { name, description }: CopyRoleDto): Promise<Role> {
    return this.insert(ctx, name, description, async (tx) => {
      const source = await tx.get(Role, id);
      this.requireHeld(ctx, source.permissions);
      return source;
    });
  }

  private insert(
    ctx: Ctx,
    name: string,
    description: string | null | undefined,
    source: (tx: Tx) => Promise<readonly string[] | Role>,
  ): Promise<Role> {
    return this.store.write(ctx, async (tx) => {
      // names that differ only in case would be confused
      await tx.advanced.mutex(`roles:${ctx.organizationId}`);
      if ((await tx.list(Role)).some((role) => role.name.toLowerCase() === name.trim().toLowerCase()))
        throw CommonErrors.duplicate({ param: 'name', message: `A role named ${name} already exists` });
      const from = await source(tx);
      const [permissions, text] = from instanceof Role ? [from.permissions, description ?? from.description] : [from, description ?? null];
      const { id } = await tx.insert(Role, {
        name: name.trim(),
        description: text,
        permissions: [...permissions],
        built_in: false,
      });
      return this.store.get(ctx, Role, id);
    });
  }

  update(ctx: Ctx, id: string, { description, permissions }: UpdateRoleDto): Promise<Role> {
    if (permissions) this.requireDeclared(permissions);
    return this.store.write(ctx, async (tx) => {
      // cached keys contain the permissions of the member they act for
      await this.keyChanges.announce(tx, ctx.organizationId);
      const role = await this.ownRole(tx, id);
      this.requireHeld(ctx, role.permissions);
      if (permissions) this.requireHeld(ctx, permissions, 'permissions');
      // those of a removed module stay, for nobody saw them
      const unseen = role.permissions.filter((name) => !this.known.has(name));
      await tx.update(role, { description, permissions: permissions && [...permissions, ...unseen] });
      return this.store.get(ctx, Role, id);
    });
  }

  delete(ctx: Ctx, id: string): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const role = await this.ownRole(tx, id);
      this.requireHeld(ctx, role.permissions);
      const members = await tx.list(Member, { role_id: id });
      const invited = await tx.sql<{ email: string }>(
        platformSql('SELECT email FROM member_invitations WHERE role_id = $1 ORDER BY email', [id]),
      );
      if (members.length + invited.length > 0) throw inUse(members, invited);
      await tx.delete(role);
    });
  }

  private requireDeclared(permissions: readonly string[]): void {
    const unknown = permissions.find((name) => !this.known.has(name));
    if (unknown === undefined) return;
    throw CommonErrors.validationFailed({
      param: 'permissions',
      message: `permissions must name permissions that exist, but ${unknown} does not${this.known.suggestionFor(unknown)}`,
      allowed: this.known.all.map(({ name }) => name),
    });
  }

  /** Members cannot grant or remove permissions that they lack, so that managing roles does not extend their own access. */
  private requireHeld(ctx: Ctx, permissions: readonly string[], param?: string): void {
    if (ctx.actor.type === 'system') return;
    const lacking = this.known.declared(permissions).filter((permission) => !ctx.permissions.has(permission));
    if (lacking.length === 0) return;
    throw CommonErrors.permissionDenied({
      param,
      message: `Your role lacks ${lacking.join(', ')}; you can manage only roles whose permissions you have yourself.`,
      extra: { required_permission: lacking[0] },
    });
  }

  private async ownRole(tx: Tx, id: string): Promise<Role> {
    const role = await tx.target(Role, id);
    if (role.built_in)
      throw CommonErrors.resourceConflict({ message: `The role ${role.name} is built in, so it cannot be changed or deleted; copy it.` });
    return role;
  }
}

function inUse(members: readonly Member[], invited: readonly { email: string }[]): Error {
  const names = [...members.map(({ name }) => name), ...invited.map(({ email }) => `${email} (invited)`)];
  const more = names.length > NAMED_HOLDERS ? ` and ${names.length - NAMED_HOLDERS} more` : '';
  return PeopleErrors.roleInUse({
    message: `The role is held by ${names.slice(0, NAMED_HOLDERS).join(', ')}${more}; give them another one first.`,
    extra: { holders: members.slice(0, LISTED_HOLDERS).map(({ id, name, email, status }) => ({ id, name, email, status })) },
  });
}
