import { Through, type Condition, type Ctx } from '../../../kit/index.js';
import { Sql } from '../../../kit/internal.js';
import type { EntityPlan } from './entity-plan.js';
import { renderSql, type TableOf } from './render-sql.js';
import type { Values } from './sql.js';

/** The texts of a condition over the alias `t`, of which all must hold. */
export function conditionTexts(plan: EntityPlan, ctx: Ctx, condition: Condition, values: Values, tableOf: TableOf): string[] {
  if (condition instanceof Sql) return [`(${renderSql(condition, ctx, tableOf, values, { t: plan.entity })})`];
  if (condition instanceof Through) throw new Error(`Only a page of ${plan.name} can be read through another table.`);
  const texts: string[] = [];
  for (const [column, value] of Object.entries(condition) as [string, unknown][]) {
    if (value === undefined) continue;
    if (!plan.columns.has(column)) throw new Error(`${plan.name} has no column "${column}".`);
    if (value === null) texts.push(`t."${column}" IS NULL`);
    else if (Array.isArray(value)) texts.push(`t."${column}" = ANY(${values.add(value)})`);
    else texts.push(`t."${column}" = ${values.add(value)}`);
  }
  return texts;
}
