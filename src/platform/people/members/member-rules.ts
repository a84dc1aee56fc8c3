import { CommonErrors, invalid, type Ctx, type Tx } from '../../../kit/index.js';
import { Member } from '../model/member.entity.js';
import type { PermissionRegistry } from '../../registry/permission-registry.js';
import type { Role } from '../model/role.entity.js';

/** The role of this name among those of the organization, or `validation_failed`. */
export function roleNamed(name: string, roles: readonly Role[]): Role {
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
export function requirePermissionsOfRole(permissions: PermissionRegistry, ctx: Ctx, role: Role): void {
  if (permissions.areHeldBy(ctx, role.permissions)) return;
  throw CommonErrors.permissionDenied({
    param: 'role',
    message: `The role ${role.name} has permissions that yours lacks, so you cannot assign or remove it, or change members who have it.`,
  });
}

/** A manager must be able to receive approvals: active, and not the member themselves. */
export async function requireManager(tx: Tx, managerId: string, memberId?: string): Promise<void> {
  if (managerId === memberId) throw invalid('manager_id', 'must not be the member who is changed');
  const manager = await tx.find(Member, managerId);
  if (manager?.status !== 'active') throw invalid('manager_id', 'must be an active member of this organization');
}
