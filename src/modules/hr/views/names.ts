import type { Ctx } from '../../../kit/index.js';

export const NAME_OF_EMPLOYEE = 'Name of the employee. In answers to GET, to keys with `hr:employee:read` or `hr:org:read`.';

/** Whether the caller is a member, or a key with one of the scopes of the routes that name such rows. */
export function mayRead({ scopes }: Ctx, ...of: readonly string[]): boolean {
  return scopes.size === 0 || of.some((scope) => scopes.has(scope));
}

/**
 * The names of a row of leave, as the caller may see them. A key that reads leave alone does not learn whose it is: only with the scopes
 * of the routes that name employees. Members reach these routes for leave that is their own, of their reports, or theirs to decide.
 */
export function namesFor<Names extends { employee_name: string }>(
  ctx: Ctx,
  names: Names | undefined,
): (Omit<Names, 'employee_name'> & { employee_name?: string }) | undefined {
  if (!names || mayRead(ctx, 'hr:employee:read', 'hr:org:read')) return names;
  const { employee_name: _, ...others } = names;
  return others;
}

/** What those see to whom the leave type is hidden. */
export function withoutType<Names extends { leave_type_name: string }>(
  names: Names | undefined,
): (Omit<Names, 'leave_type_name'> & { leave_type_name: null }) | undefined {
  return names === undefined ? undefined : { ...names, leave_type_name: null };
}
