import { CommonErrors, type Ctx } from '../../kit/index.js';
import type { Permission } from '../people/model/permissions.js';

/** The module of keys that may only submit leads. They are embedded in web forms, so they have separate permissions. */
export const LEAD_WEBHOOK = 'lead_webhook';

const MANAGE: Permission = 'org.developer.apikeys.manage';

/** Changing and rolling require the permission to create: both can grant additional access. */
export type KeyAction = 'view' | 'create' | 'delete';

const LEAD_KEYS = {
  view: 'org.developer.leadkeys.view',
  create: 'org.developer.leadkeys.create',
  delete: 'org.developer.leadkeys.delete',
} as const satisfies Record<KeyAction, Permission>;

const LEAD_KEY_LOGS: Permission = 'org.developer.leadkeys.logs.view';

/** The permissions of a route for keys of all modules, of which one suffices; the key's module decides which one is required. */
export function permissionsFor(action: KeyAction): readonly Permission[] {
  return [MANAGE, LEAD_KEYS[action]];
}

export function mayManageKeys(ctx: Ctx, module: string, action: KeyAction): boolean {
  return ctx.actor.type === 'system' || ctx.permissions.has(keyPermissionOf(module, action));
}

export function requireForModule(ctx: Ctx, module: string, action: KeyAction): void {
  if (mayManageKeys(ctx, module, action)) return;
  const permission = keyPermissionOf(module, action);
  throw CommonErrors.permissionDenied({
    message: `Your role lacks the permission ${permission}.`,
    extra: { required_permission: permission },
  });
}

export function maySeeCallsOfLeadKeys(ctx: Ctx): boolean {
  return ctx.actor.type === 'system' || ctx.permissions.has(LEAD_KEY_LOGS);
}

/** The permission for an action on the keys of a module. */
export function keyPermissionOf(module: string, action: KeyAction): Permission {
  return module === LEAD_WEBHOOK ? LEAD_KEYS[action] : MANAGE;
}
