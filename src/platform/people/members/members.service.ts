import { Injectable } from '@nestjs/common';
import { CommonErrors, Store, type Ctx, type ListQuery, type Page, type Tx } from '../../../kit/index.js';
import { KeysEpoch } from '../../keys-epoch/keys-epoch.js';
import { Member } from '../model/member.entity.js';
import type { CreateOrgMemberDto, UpdateOrgMemberDto } from './members.dto.js';
import { normalizeEmail, type MemberWithRole } from '../model/member.dto.js';
import { hashPassword } from '../model/passwords.js';
import { PeopleErrors } from '../model/people.errors.js';
import { Role } from '../model/role.entity.js';
import { holdsAllPermissions } from '../model/roles.js';
import { SessionsService } from '../sessions/sessions.service.js';

@Injectable()
export class MembersService {
  constructor(
    private readonly store: Store,
    private readonly sessions: SessionsService,
    private readonly keysEpoch: KeysEpoch,
  ) {}

  async page(ctx: Ctx, query: ListQuery): Promise<Page<MemberWithRole>> {
    const [page, roles] = await Promise.all([this.store.page(ctx, Member, query), this.store.list(ctx, Role)]);
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
      requirePermissionsOfRole(ctx, role);
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
      // cached keys contain whether the member they act for is active, and what their role permits
      if (status !== undefined || roleName !== undefined) await this.keysEpoch.announce(tx);
      const member = await tx.target(Member, id);
      const roles = await tx.list(Role);
      const previous = roleOf(member, roles);
      const role = roleName === undefined ? previous : roleNamed(roleName, roles);
      requirePermissionsOfRole(ctx, previous);
      requirePermissionsOfRole(ctx, role);
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
      if (updated.status === 'inactive' || password_hash !== undefined) await this.sessions.closeAllOf(tx, id);
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

function roleNamed(name: string, roles: readonly Role[]): Role {
  const role = roles.find((candidate) => candidate.name === name);
  if (!role)
    throw CommonErrors.validationFailed({
      param: 'role',
      message: 'role must be the name of a role of this organization',
      allowed: roles.map((candidate) => candidate.name),
    });
  return role;
}

/** Callers may not grant, remove or manage a role with permissions that they lack. */
function requirePermissionsOfRole(ctx: Ctx, role: Role): void {
  if (holdsAllPermissions(ctx, role)) return;
  throw CommonErrors.permissionDenied({
    param: 'role',
    message: `The role ${role.name} has permissions that yours lacks, so you cannot assign or remove it, or change members who have it.`,
  });
}

/** A manager must be able to receive approvals: active, and not the member themselves. */
async function requireManager(tx: Tx, managerId: string, memberId?: string): Promise<void> {
  if (managerId === memberId)
    throw CommonErrors.validationFailed({
      param: 'manager_id',
      message: 'manager_id must not be the member who is changed',
    });
  const manager = await tx.find(Member, managerId);
  if (manager?.status !== 'active')
    throw CommonErrors.validationFailed({ param: 'manager_id', message: 'manager_id must be an active member of this organization' });
}

/** The lock on the role serializes concurrent removals of owners. */
async function requireAnotherOwner(tx: Tx, member: Member, owner: Role): Promise<void> {
  await tx.lock(Role, owner.id);
  const owners = await tx.list(Member, { role_id: owner.id, status: 'active' });
  if (owners.every((candidate) => candidate.id === member.id)) throw PeopleErrors.lastOwner();
}
