import type { Ctx } from '../../../kit/index.js';

export const NAME_OF_EMPLOYEE = 'Name of the employee. In answers to GET, to keys with `hr:employee:read` or `hr:org:read`.';

/**
 * The names of a row of leave, as the caller may see them. A key that reads leave alone does not learn whose it is: only with the scopes
 * of the routes that name employees. Members reach these routes for leave that is their own, of their reports, or theirs to decide.
 */
export function namesFor<Names extends { employee_name: string }>(
  { scopes }: Ctx,
  names: Names | undefined,
): (Omit<Names, 'employee_name'> & { employee_name?: string }) | undefined {
  if (!names || scopes.size === 0 || scopes.has('hr:employee:read') || scopes.has('hr:org:read')) return names;
  const { employee_name: _, ...others } = names;
  return others;
}

/** What those see to whom the leave type is hidden. */
export function withoutType<Names extends { leave_type_name: string }>(
  names: Names | undefined,
): (Omit<Names, 'leave_type_name'> & { leave_type_name: null }) | undefined {
  return names === undefined ? undefined : { ...names, leave_type_name: null };
}
