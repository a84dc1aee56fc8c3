import type { Permission } from '../../platform/people/model/permissions.js';

/** One permission, several of which any one suffices, or null for every member. */
export type Required = Permission | readonly Permission[] | null;

export function isAllowed({ permissions }: { permissions: ReadonlySet<string> }, required: Required): boolean {
  const anyOf = permissionsOf(required);
  return anyOf.length === 0 || anyOf.some((permission) => permissions.has(permission));
}

/** Any of them suffices; none is required if there are none. */
export function permissionsOf(required: Required): readonly Permission[] {
  return required === null ? [] : [required].flat();
}
