import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { Ctx } from '../../kit/index.js';
import type { EntityPlan } from './entity-plan.js';

/** TypeORM's query builder with the caller's narrowing in it, and kept in it: a later `where` adds instead of replacing. */
export function narrowedBuilder<E extends ObjectLiteral>(builder: SelectQueryBuilder<E>, plan: EntityPlan, ctx: Ctx, alias: string): SelectQueryBuilder<E> {
  builder.where(`${alias}.organization_id = :ctx_organization`, { ctx_organization: ctx.organizationId });
  if (plan.scoping === 'business') builder.andWhere(`${alias}.mode = :ctx_mode`, { ctx_mode: ctx.mode });
  if (plan.scoping !== 'organization' && ctx.projectId !== null) {
    const orShared = plan.scoping === 'configuration' ? ` OR ${alias}.project_id IS NULL` : '';
    builder.andWhere(`(${alias}.project_id = :ctx_project${orShared})`, { ctx_project: ctx.projectId });
  }
  builder.where = builder.andWhere.bind(builder) as typeof builder.where;
  builder.orWhere = () => {
    throw new Error('orWhere would undo the narrowing to the caller; put the alternatives into one andWhere.');
  };
  return builder;
}
