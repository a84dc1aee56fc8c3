import { Injectable, type Type } from '@nestjs/common';
import { Projects, Store, type BaseEntity, type Condition, type Ctx, type ListQuery, type Page } from '../../../kit/index.js';
import { DeskAgent } from '../model/agent.entity.js';
import type { TicketAgentsQuery } from './lookups.dto.js';

const MEMBER = 'SELECT FROM members m WHERE m.organization_id = t.organization_id AND m.id = t.member_id';

/** Lists the configuration. */
@Injectable()
export class DeskLookups {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
  ) {}

  async page<E extends BaseEntity>(
    ctx: Ctx,
    entity: Type<E>,
    query: ListQuery & { project_id?: string },
    ...conditions: Condition[]
  ): Promise<Page<E>> {
    const project = await this.projects.reach(ctx, query.project_id);
    const within = project ? [{ sql: 't.project_id = :project', values: { project: project.id } }] : [];
    return this.store.page(ctx, entity, query, ...within, ...conditions);
  }

  agent(ctx: Ctx, id: string): Promise<DeskAgent> {
    return this.store.get(ctx, DeskAgent, id);
  }

  /** An agent is active only as long as the member is. */
  agents(ctx: Ctx, query: TicketAgentsQuery): Promise<Page<DeskAgent>> {
    const { active, email } = query;
    const conditions: Condition[] = [];
    const isActive = `t.active AND EXISTS (${MEMBER} AND m.status = 'active')`;
    if (active !== undefined) conditions.push({ sql: active ? isActive : `NOT (${isActive})`, values: {} });
    if (email !== undefined)
      conditions.push({ sql: `EXISTS (${MEMBER} AND lower(m.email) = :email)`, values: { email: email.toLowerCase() } });
    return this.page(ctx, DeskAgent, query, ...conditions);
  }
}
