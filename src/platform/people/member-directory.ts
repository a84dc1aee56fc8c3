import { Injectable } from '@nestjs/common';
import { Members, Store, type Condition, type Ctx, type ListQuery, type Member as MemberView, type Page } from '../../kit/index.js';
import { Member } from './member.entity.js';

/** The kit's `Members`. Inactive members are listed too: what is assigned to them must still show a name. */
@Injectable()
export class MemberDirectory extends Members {
  constructor(private readonly store: Store) {
    super();
  }

  async list(ctx: Ctx): Promise<MemberView[]> {
    return (await this.store.list(ctx, Member)).map(toView);
  }

  async page(ctx: Ctx, query: ListQuery, ...conditions: Condition[]): Promise<Page<MemberView>> {
    const page = await this.store.page(ctx, Member, query, ...conditions);
    return { ...page, data: page.data.map(toView) };
  }

  async byIds(ctx: Ctx, ids: readonly string[]): Promise<MemberView[]> {
    if (ids.length === 0) return [];
    return (await this.store.list(ctx, Member, { id: [...ids] })).map(toView);
  }
}

function toView({ id, email, name, status }: Member): MemberView {
  return { id, email, name, status };
}
