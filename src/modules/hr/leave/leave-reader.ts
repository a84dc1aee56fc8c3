import { Injectable } from '@nestjs/common';
import { plusDays, sql, Store, type Condition, type Ctx, type ListQuery, type Page } from '../../../kit/index.js';
import { LeaveRequest } from '../model/leave-request.entity.js';

const LONGEST_DAYS = 366;

@Injectable()
export class LeaveReader {
  constructor(private readonly store: Store) {}

  get(ctx: Ctx, id: string): Promise<LeaveRequest> {
    return this.store.get(ctx, LeaveRequest, id);
  }

  page(ctx: Ctx, query: ListQuery & { from?: string; to?: string }, ...conditions: Condition<LeaveRequest>[]): Promise<Page<LeaveRequest>> {
    const { from, to } = query;
    const within: Condition[] = [];
    if (from !== undefined)
      // no leave is longer, so the second bound limits the index scan
      within.push(sql`t.ends_on >= ${from} AND t.starts_on >= ${plusDays(from, -LONGEST_DAYS)}`);
    if (to !== undefined) within.push(sql`t.starts_on <= ${to}`);
    return this.store.page(ctx, LeaveRequest, query, ...within, ...conditions);
  }
}
