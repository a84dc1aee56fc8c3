/** One permission, several of which any one suffices, or null for every member. */
export type Required = string | readonly string[] | null;

export function isAllowed({ permissions }: { permissions: ReadonlySet<string> }, required: Required): boolean {
  const anyOf = permissionsOf(required);
  return anyOf.length === 0 || anyOf.some((permission) => permissions.has(permission));
}

/** Any of them suffices; none is required if there are none. */
export function permissionsOf(required: Required): readonly string[] {
  return required === null ? [] : [required].flat();
}
