import { Injectable, type Type } from '@nestjs/common';
import { Projects, sql, Store, type BaseEntity, type Ctx, type ListQuery, type Page } from '../../../kit/index.js';

/** Lists the configuration. */
@Injectable()
export class StorefrontLookups {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
  ) {}

  async page<E extends BaseEntity>(ctx: Ctx, entity: Type<E>, query: ListQuery & { project_id?: string }): Promise<Page<E>> {
    const project = await this.projects.reach(ctx, query.project_id);
    const within = project ? [sql`t.project_id = ${project.id}`] : [];
    return this.store.page(ctx, entity, query, ...within);
  }
}
