import type { Ctx } from '../../../kit/index.js';
import type { Role } from './role.entity.js';
import { ALL_PERMISSIONS, type Permission } from './permissions.js';

/** The default roles of an organization. */
export const ROLES = {
  owner: ALL_PERMISSIONS,
  admin: ALL_PERMISSIONS.filter((permission) => permission !== 'org.owners.manage'),
  developer: [...ALL_PERMISSIONS.filter((permission) => permission.startsWith('org.developer.')), 'tasks.task.view'],
  member: [
    'tasks.task.view',
    'tasks.task.manage',
    'tasks.task.delete',
    'crm.contact.view',
    'crm.contact.manage',
    'crm.deal.view',
    'crm.deal.manage',
    'papers.document.view',
    'papers.document.manage',
    'papers.document.approve',
    'papers.ai.run',
    'schedule.event.view',
    'schedule.event.manage',
    'schedule.booking.manage',
    'inventory.stock.view',
    'inventory.stock.manage',
    'storefront.product.manage',
    'storefront.order.manage',
    'desk.ticket.manage',
  ],
} as const satisfies Record<string, readonly Permission[]>;

export type RoleName = keyof typeof ROLES;

const POWERFUL: readonly Permission[] = [
  'org.owners.manage',
  'org.members.manage',
  'org.developer.apikeys.manage',
  'org.developer.leadkeys.create',
  'org.developer.leadkeys.delete',
];

/** Whether an organization that requires a second factor requires it of a role: of those that manage keys, members or roles. */
export function mustHaveSecondFactor(permissions: readonly string[]): boolean {
  return POWERFUL.some((permission) => permissions.includes(permission));
}

/** Whether the caller holds every permission of a role, so that managing its members cannot extend the caller's access. */
export function holdsAllPermissions(ctx: Ctx, { permissions }: Role): boolean {
  return ctx.actor.type === 'system' || permissions.every((permission) => ctx.permissions.has(permission));
}
