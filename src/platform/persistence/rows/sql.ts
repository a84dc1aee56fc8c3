import { LRUCache } from 'lru-cache';
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

/** A condition's text around its names: text, `...` or undefined, name, text and so on. */
const split = new LRUCache<string, readonly (string | undefined)[]>({ max: 500 });
const NAMED = /(?<!:):(\.\.\.)?([a-z_]\w*)/i;

/** Replaces `:name` and `:...name` by placeholders; `::type` casts are not changed. */
export function bindNamed(sql: string, named: Record<string, unknown>, values: Values): string {
  let parts = split.get(sql);
  if (!parts) split.set(sql, (parts = sql.split(NAMED)));
  let text = parts[0] as string;
  for (let index = 1; index < parts.length; index += 3) {
    const name = parts[index + 1] as string;
    if (!(name in named)) throw new Error(`The condition "${sql}" has no value for :${name}.`);
    const value = named[name];
    text += parts[index] === undefined ? values.add(value) : (value as unknown[]).map((item) => values.add(item)).join(', ');
    text += parts[index + 2] as string;
  }
  return text;
}
