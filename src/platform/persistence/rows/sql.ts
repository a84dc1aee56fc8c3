import type { Ctx } from '../../../kit/index.js';
import type { EntityPlan } from './entity-plan.js';

/** Collects values and hands out their placeholders. */
export class Values {
  readonly list: unknown[] = [];

  add(value: unknown): string {
    this.list.push(value);
    return `$${this.list.length}`;
  }
}

/**
 * THE place that narrows a statement to the caller: organization, mode and project pin, as the entity's scoping says.
 * Conditions are over the alias `t`.
 */
export function narrow(plan: EntityPlan, ctx: Ctx, values: Values, use: 'read' | 'write' = 'read'): string {
  let sql = `t."organization_id" = ${values.add(ctx.organizationId)}`;
  if (plan.scoping === 'organization') return sql;
  if (plan.scoping === 'business') sql += ` AND t."mode" = ${values.add(ctx.mode)}`;
  if (ctx.projectId !== null) {
    const pinned = `t."project_id" = ${values.add(ctx.projectId)}`;
    // what the whole organization shares is read by a pinned key, but not changed
    sql += plan.scoping === 'business' || use === 'write' ? ` AND ${pinned}` : ` AND (${pinned} OR t."project_id" IS NULL)`;
  }
  return sql;
}

/** Replaces `:name` and `:...name` by placeholders; `::type` casts are left alone. */
export function bindNamed(sql: string, named: Record<string, unknown>, values: Values): string {
  return sql.replace(/(?<!:):(\.\.\.)?([a-z_]\w*)/gi, (_, spread: string | undefined, name: string) => {
    if (!(name in named)) throw new Error(`The condition "${sql}" has no value for :${name}.`);
    const value = named[name];
    return spread ? (value as unknown[]).map((item) => values.add(item)).join(', ') : values.add(value);
  });
}
