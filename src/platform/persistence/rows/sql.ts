import type { Ctx } from '../../../kit/index.js';
import type { EntityPlan } from './entity-plan.js';

/** Collects values, after those that are given, and returns their placeholders. */
export class Values {
  constructor(readonly list: unknown[] = []) {}

  add(value: unknown): string {
    this.list.push(value);
    return `$${this.list.length}`;
  }
}

/**
 * The only code that restricts a statement to the caller's organization, mode and project pin, by the entity's scoping. Conditions use
 * the alias `t`.
 */
export function narrow(plan: EntityPlan, ctx: Ctx, values: Values, use: 'read' | 'write' = 'read'): string {
  let sql = `t."organization_id" = ${values.add(ctx.organizationId)}`;
  if (plan.scoping === 'organization') return sql;
  if (plan.scoping === 'business') sql += ` AND t."mode" = ${values.add(ctx.mode)}`;
  if (ctx.projectId !== null) {
    const pinned = `t."project_id" = ${values.add(ctx.projectId)}`;
    // a key that is bound to a project may read but not change rows that the whole organization shares
    sql += plan.scoping === 'business' || use === 'write' ? ` AND ${pinned}` : ` AND (${pinned} OR t."project_id" IS NULL)`;
  }
  return sql;
}
