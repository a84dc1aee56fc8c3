import { ALL_PERMISSIONS, type Permission } from './permissions.js';

/** The roles every organisation starts with. */
export const ROLES = {
  owner: ALL_PERMISSIONS,
  admin: ALL_PERMISSIONS.filter((permission) => permission !== 'org.owners.manage'),
  developer: ALL_PERMISSIONS.filter((permission) => permission.startsWith('org.developer.')),
  member: ['papers.document.approve'],
} as const satisfies Record<string, readonly Permission[]>;

export type RoleName = keyof typeof ROLES;
