import { CommonErrors, type Ctx } from '../../kit/index.js';
import { MANAGE_KEYS } from './keys.permissions.js';
import type { ScopeCatalog } from './scope-catalog.js';

/** Changing and rolling require the permission to create: both can grant additional access. */
export type KeyAction = 'view' | 'create' | 'delete';

/**
 * The permissions of a route for keys of all modules, of which one suffices; the key's module decides which one is required. The
 * second stands for those that manifests declare for their keys.
 */
export function permissionsFor(action: KeyAction): readonly string[] {
  return [MANAGE_KEYS, `keys:${action}`];
}

/** The permission for an action on the keys of a module. */
export function keyPermissionOf(catalog: ScopeCatalog, module: string, action: KeyAction): string {
  return catalog.modules().find(({ name }) => name === module)?.keys?.permissions[action] ?? MANAGE_KEYS;
}

export function mayManageKeys(catalog: ScopeCatalog, ctx: Ctx, module: string, action: KeyAction): boolean {
  return ctx.actor.type === 'system' || ctx.permissions.has(keyPermissionOf(catalog, module, action));
}

export function requireForModule(catalog: ScopeCatalog, ctx: Ctx, module: string, action: KeyAction): void {
  if (mayManageKeys(catalog, ctx, module, action)) return;
  const permission = keyPermissionOf(catalog, module, action);
  throw CommonErrors.permissionDenied({
    message: `Your role lacks the permission ${permission}.`,
    extra: { required_permission: permission },
  });
}

/** The modules that declare permissions of their own for their keys. */
export function modulesWithOwnKeys(catalog: ScopeCatalog): string[] {
  return catalog.modules().flatMap(({ name, keys }) => (keys ? [name] : []));
}

/** The modules whose keys' calls the caller may not see. */
export function modulesWithHiddenCalls(catalog: ScopeCatalog, ctx: Ctx): string[] {
  if (ctx.actor.type === 'system') return [];
  return catalog.modules().flatMap(({ name, keys }) => (keys && !ctx.permissions.has(keys.permissions.calls) ? [name] : []));
}
