import { CommonErrors, type Ctx } from '../../kit/index.js';
import type { Permission } from '../people/model/permissions.js';

/** The module of keys that may only hand in leads. They sit in web forms, so who sees and makes them is permitted apart. */
export const LEAD_WEBHOOK = 'lead_webhook';

const MANAGE: Permission = 'org.developer.apikeys.manage';

/** Changing and rolling count as creating: both can hand out more than there was. */
export type KeyAction = 'view' | 'create' | 'delete';

const LEAD_KEYS = {
  view: 'org.developer.leadkeys.view',
  create: 'org.developer.leadkeys.create',
  delete: 'org.developer.leadkeys.delete',
} as const satisfies Record<KeyAction, Permission>;

const LEAD_KEY_LOGS: Permission = 'org.developer.leadkeys.logs.view';

/** What a route needs that serves keys of all modules; which of the two counts is the key's matter. */
export function permissionsFor(action: KeyAction): readonly Permission[] {
  return [MANAGE, LEAD_KEYS[action]];
}

export function mayWithKeys(ctx: Ctx, module: string, action: KeyAction): boolean {
  return ctx.actor.type === 'system' || ctx.permissions.has(permissionOf(module, action));
}

export function requireForModule(ctx: Ctx, module: string, action: KeyAction): void {
  if (mayWithKeys(ctx, module, action)) return;
  const permission = permissionOf(module, action);
  throw CommonErrors.permissionDenied({
    message: `Your role lacks the permission ${permission}.`,
    extra: { required_permission: permission },
  });
}

export function maySeeCallsOfLeadKeys(ctx: Ctx): boolean {
  return ctx.actor.type === 'system' || ctx.permissions.has(LEAD_KEY_LOGS);
}

function permissionOf(module: string, action: KeyAction): Permission {
  return module === LEAD_WEBHOOK ? LEAD_KEYS[action] : MANAGE;
}
