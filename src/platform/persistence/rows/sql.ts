import type { Ctx } from '../../../kit/index.js';
import type { EntityPlan } from './entity-plan.js';

/** Collects values and returns their placeholders. */
export class Values {
  readonly list: unknown[] = [];

  add(value: unknown): string {
    this.list.push(value);
    return `$${this.list.length}`;
  }
}

/**
 * The only code that restricts a statement to the caller: organization, mode and project pin, by the entity's scoping.
 * Conditions use the alias `t`.
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

/** Replaces `:name` and `:...name` by placeholders; `::type` casts are not changed. */
export function bindNamed(sql: string, named: Record<string, unknown>, values: Values): string {
  return sql.replace(/(?<!:):(\.\.\.)?([a-z_]\w*)/gi, (_, spread: string | undefined, name: string) => {
    if (!(name in named)) throw new Error(`The condition "${sql}" has no value for :${name}.`);
    const value = named[name];
    return spread ? (value as unknown[]).map((item) => values.add(item)).join(', ') : values.add(value);
  });
}
