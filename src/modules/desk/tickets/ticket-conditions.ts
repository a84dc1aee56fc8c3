import { IS_UNSOLVED_TICKET, type Ticket } from '../model/ticket.entity.js';
import { sql, type Condition } from '../../../kit/index.js';
import type { ViewFilters } from '../model/view.entity.js';
import { rankOf, UNSOLVED, type StatusCategory } from '../model/values.js';
import { emailOf } from '../requesters/requesters.service.js';
import { tagsOf } from './ticket-values.js';
import type { CategoryFilter, TicketsQuery } from './tickets.dto.js';

/** The conditions of list filters that are not simple column comparisons. */
export function conditionsOf(query: TicketsQuery): Condition<Ticket>[] {
  const conditions = sharedConditions(query);
  if (query.requester_email) conditions.push({ requester_email: query.requester_email.map(emailOf) });
  if (query.number) conditions.push({ number: query.number.map((number) => number.toUpperCase()) });
  if (query.sla_due_before !== undefined) conditions.push(sql`COALESCE(t.sla_due_at, 'infinity') < ${query.sla_due_before}`);
  return conditions;
}

/** The conditions of a view. */
export function conditionsOfView(filters: ViewFilters): Condition<Ticket>[] {
  const conditions = sharedConditions(filters);
  const { status_id, queue_id, assignee_id } = filters;
  if (status_id) conditions.push({ status_id });
  if (queue_id) conditions.push({ queue_id });
  if (assignee_id) {
    const ids = assignee_id.filter((id) => id !== 'none');
    conditions.push(ids.length < assignee_id.length ? sql`t.assignee_id = ANY(${ids}) OR t.assignee_id IS NULL` : { assignee_id: ids });
  }
  return conditions;
}

function sharedConditions({
  status_category,
  priority,
  tag,
}: Pick<ViewFilters, 'status_category' | 'priority' | 'tag'>): Condition<Ticket>[] {
  const conditions: Condition<Ticket>[] = [];
  if (status_category) conditions.push(ofCategories(status_category));
  if (priority) conditions.push({ priority: priority.map(rankOf) });
  // the index of tags leaves out empty arrays: PostgreSQL uses it only if the query repeats that. What is unsolved is found faster by
  // the indexes of what is unsolved, also if most of it has the tag, which PostgreSQL does not expect
  const usesIndex = isUnsolvedOnly(status_category ?? []) ? sql`` : sql`AND t.tags <> '{}'`;
  if (tag) conditions.push(sql`t.tags && ${tagsOf(tag)}::text[] ${usesIndex}`);
  return conditions;
}

function isUnsolvedOnly(given: readonly CategoryFilter[]): boolean {
  return given.length > 0 && given.every((one) => one === 'unsolved' || (UNSOLVED as readonly StatusCategory[]).includes(one));
}

function ofCategories(given: readonly CategoryFilter[]): Condition<Ticket> {
  const categories = new Set<StatusCategory>(given.flatMap((one) => (one === 'unsolved' ? UNSOLVED : one)));
  const isOpenSet = categories.size === UNSOLVED.length && UNSOLVED.every((category) => categories.has(category));
  if (isOpenSet) return IS_UNSOLVED_TICKET;
  const all = { status_category: [...categories] };
  return isUnsolvedOnly(given) ? sql`t.status_category = ANY(${all.status_category}) AND ${IS_UNSOLVED_TICKET}` : all;
}
