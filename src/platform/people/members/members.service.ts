import { Injectable } from '@nestjs/common';
import { sql, Store, type Ctx, type Page, type Tx } from '../../../kit/index.js';
import { KeyChanges } from '../../key-changes/key-changes.js';
import { Member } from '../model/member.entity.js';
import type { OrgMembersQuery, UpdateOrgMemberDto } from './members.dto.js';
import { normalizeEmail, type CreateOrgMemberDto, type MemberWithRole } from '../model/member.dto.js';
import { hashPassword } from '../model/passwords.js';
import { PeopleErrors } from '../model/people.errors.js';
import { Role } from '../model/role.entity.js';
import { PermissionRegistry } from '../../registry/permission-registry.js';
import { requireManager, requirePermissionsOfRole, roleNamed } from './member-rules.js';
import { SecondFactors } from '../second-factor/second-factors.service.js';
import { endSessionsOf } from '../model/end-sessions.js';

@Injectable()
export class MembersService {
  constructor(
    private readonly store: Store,
    private readonly factors: SecondFactors,
    private readonly keyChanges: KeyChanges,
    private readonly permissions: PermissionRegistry,
  ) {}

  async page(ctx: Ctx, query: OrgMembersQuery): Promise<Page<MemberWithRole>> {
    const roles = await this.store.list(ctx, Role);
    const wanted = query.role && roles.filter(({ name }) => query.role?.includes(name)).map(({ id }) => id);
    const conditions = wanted ? [sql`t.role_id = ANY(${wanted})`] : [];
    const page = await this.store.page(ctx, Member, query, ...conditions);
    return { ...page, data: page.data.map((member) => withRole(member, roles)) };
  }

  async get(ctx: Ctx, id: string): Promise<MemberWithRole> {
    const [member, roles] = await Promise.all([this.store.get(ctx, Member, id), this.store.list(ctx, Role)]);
    return withRole(member, roles);
  }

  async create(ctx: Ctx, { email, name, role: roleName, manager_id, password }: CreateOrgMemberDto): Promise<MemberWithRole> {
    const password_hash = await hashPassword(password);
    return this.store.write(ctx, async (tx) => {
      const roles = await tx.list(Role);
      const role = roleNamed(roleName, roles);
      requirePermissionsOfRole(this.permissions, ctx, role);
      if (manager_id) await requireManager(tx, manager_id);
      const member = await tx.insert(Member, {
        email: normalizeEmail(email),
        name,
        role_id: role.id,
        manager_id: manager_id ?? null,
        password_hash,
        status: 'active',
      });
      return withRole(member, roles);
    });
  }

  /** The changed member must not have a permission that the caller lacks, neither before nor after the change. */
  async update(ctx: Ctx, id: string, { name, role: roleName, status, manager_id, password }: UpdateOrgMemberDto): Promise<MemberWithRole> {
    const password_hash = password === undefined ? undefined : await hashPassword(password);
    return this.store.write(ctx, async (tx) => {
      // cached keys contain whether the member they act for is active, and the member's permissions
      if (status !== undefined || roleName !== undefined) await this.keyChanges.announce(tx, ctx.organizationId);
      const member = await tx.target(Member, id);
      const roles = await tx.list(Role);
      const previous = roleOf(member, roles);
      const role = roleName === undefined ? previous : roleNamed(roleName, roles);
      requirePermissionsOfRole(this.permissions, ctx, previous);
      requirePermissionsOfRole(this.permissions, ctx, role);
      const leavesOwners = previous.name === 'owner' && member.status === 'active' && (role.id !== previous.id || status === 'inactive');
      if (leavesOwners) await requireAnotherOwner(tx, member, previous);
      if (manager_id && manager_id !== member.manager_id) await requireManager(tx, manager_id, id);
      const updated = await tx.update(member, {
        name,
        role_id: role.id,
        status,
        manager_id,
        ...(password_hash === undefined ? {} : { password_hash }),
      });
      if (updated.status === 'inactive' || password_hash !== undefined) await endSessionsOf(tx, id);
      return withRole(updated, roles);
    });
  }

  resetSecondFactor(ctx: Ctx, id: string): Promise<MemberWithRole> {
    return this.store.write(ctx, async (tx) => {
      const member = await tx.target(Member, id);
      const roles = await tx.list(Role);
      requirePermissionsOfRole(this.permissions, ctx, roleOf(member, roles));
      const updated = await this.factors.remove(tx, member);
      await endSessionsOf(tx, id);
      return withRole(updated, roles);
    });
  }
}

function withRole({ role_id, ...member }: Member, roles: readonly Role[]): MemberWithRole {
  return { ...member, role: roles.find((role) => role.id === role_id)?.name ?? '' };
}

function roleOf(member: Member, roles: readonly Role[]): Role {
  return roles.find((role) => role.id === member.role_id) as Role;
}

/** The lock on the role serializes concurrent removals of owners. */
async function requireAnotherOwner(tx: Tx, member: Member, owner: Role): Promise<void> {
  await tx.lock(Role, owner.id);
  const owners = await tx.list(Member, { role_id: owner.id, status: 'active' });
  if (owners.every((candidate) => candidate.id === member.id)) throw PeopleErrors.lastOwner();
}
