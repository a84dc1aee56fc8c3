import { Injectable } from '@nestjs/common';
import { Members, Store, type Ctx, type Member as MemberView } from '../../kit/index.js';
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

  async byIds(ctx: Ctx, ids: readonly string[]): Promise<MemberView[]> {
    if (ids.length === 0) return [];
    return (await this.store.list(ctx, Member, { id: [...ids] })).map(toView);
  }
}

function toView({ id, email, name, status }: Member): MemberView {
  return { id, email, name, status };
}
