import { CommonErrors, type Ctx } from '../../kit/index.js';
import type { Permission } from '../people/permissions.js';

/** The module of keys that may only hand in leads. They sit in web forms, so who sees and makes them is permitted apart. */
export const LEAD_WEBHOOK = 'lead_webhook';

const PERMISSION = {
  view: 'org.developer.leadkeys.view',
  create: 'org.developer.leadkeys.create',
  delete: 'org.developer.leadkeys.delete',
  viewLogs: 'org.developer.leadkeys.logs.view',
} as const satisfies Record<string, Permission>;

export function mayWithLeadKeys(ctx: Ctx, action: keyof typeof PERMISSION): boolean {
  return ctx.actor.type === 'system' || ctx.permissions.has(PERMISSION[action]);
}

/** Changing and rolling count as creating: both can hand out more than there was. */
export function requireForModule(ctx: Ctx, module: string, action: 'create' | 'delete'): void {
  if (module !== LEAD_WEBHOOK || mayWithLeadKeys(ctx, action)) return;
  throw CommonErrors.permissionDenied({ message: `Your role lacks the permission ${PERMISSION[action]}.`, extra: { required_permission: PERMISSION[action] } });
}
