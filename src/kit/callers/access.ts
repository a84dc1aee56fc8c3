import { CommonErrors } from '../errors/common-errors.js';
import type { Ctx } from './ctx.js';

/** What a part of a call requires: the scope from a key, the permission from a signed-in member. */
export interface Access {
  scope: string;
  permission: string;
}

/**
 * Throws `insufficient_scope` or `permission_denied`, with `param`, unless the caller has the access. For parts of a call that
 * require more than its route.
 *
 * @example
 * ```ts
 * import { requireAccess, type Ctx } from 'work-suite/kit';
 *
 * export function requirePayroll(ctx: Ctx): void {
 *   requireAccess(ctx, { scope: 'fleet:payroll:read', permission: 'fleet.payroll.view' }, 'expand');
 * }
 * ```
 */
export function requireAccess(ctx: Ctx, access: Access, param?: string): void {
  if (hasAccess(ctx, access)) return;
  // a key has at least the scope of the route
  throw ctx.scopes.size > 0 ? lacksScope(access.scope, param) : lacksPermission([access.permission], param);
}

/**
 * Whether the caller has the access. For parts of an answer that others do not get.
 *
 * @example
 * ```ts
 * import { hasAccess, type Ctx } from 'work-suite/kit';
 *
 * export const seesWages = (ctx: Ctx): boolean => hasAccess(ctx, { scope: 'fleet:payroll:read', permission: 'fleet.payroll.view' });
 * ```
 */
export function hasAccess({ scopes, permissions }: Ctx, { scope, permission }: Access): boolean {
  return scopes.has(scope) || permissions.has(permission);
}

export function lacksScope(scope: string, param?: string): Error {
  return CommonErrors.insufficientScope({ message: `This API key lacks the scope ${scope}.`, param, extra: { required_scope: scope } });
}

/** `anyOf`: one of them is enough. */
export function lacksPermission(anyOf: readonly string[], param?: string): Error {
  return CommonErrors.permissionDenied({
    message: `Your role lacks the permission ${anyOf.join(' or ')}.`,
    param,
    extra: { required_permission: anyOf[0] },
  });
}
