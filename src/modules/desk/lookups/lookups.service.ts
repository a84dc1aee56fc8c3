import { Injectable, type Type } from '@nestjs/common';
import {
  activeMember,
  memberEmail,
  Projects,
  sql,
  Store,
  type BaseEntity,
  type Ctx,
  type ListQuery,
  type Page,
  type Sql,
} from '../../../kit/index.js';
import { DeskAgent } from '../model/agent.entity.js';
import type { TicketAgentsQuery } from './lookups.dto.js';

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
    ...conditions: Sql[]
  ): Promise<Page<E>> {
    const project = await this.projects.reach(ctx, query.project_id);
    const within = project ? [sql`t.project_id = ${project.id}`] : [];
    return this.store.page(ctx, entity, query, ...within, ...conditions);
  }

  agent(ctx: Ctx, id: string): Promise<DeskAgent> {
    return this.store.get(ctx, DeskAgent, id);
  }

  /** An agent is active only as long as the member is. */
  agents(ctx: Ctx, query: TicketAgentsQuery): Promise<Page<DeskAgent>> {
    const { active, email } = query;
    const conditions: Sql[] = [];
    const isActive = sql`t.active AND ${activeMember('t', 'member_id')}`;
    if (active !== undefined) conditions.push(active ? isActive : sql`NOT (${isActive})`);
    if (email !== undefined) conditions.push(sql`lower(${memberEmail('t', 'member_id')}) = ${email.toLowerCase()}`);
    return this.page(ctx, DeskAgent, query, ...conditions);
  }
}
