import type { Condition } from '../../../kit/index.js';
import type { ViewFilters } from '../model/view.entity.js';
import { rankOf, UNSOLVED, type StatusCategory } from '../model/values.js';
import { emailOf } from '../requesters/requesters.service.js';
import { tagsOf } from './ticket-values.js';
import type { CategoryFilter, TicketsQuery } from './tickets.dto.js';

// literal, because the indexes of unsolved tickets repeat it
const IS_UNSOLVED = `t.status_category IN ('new', 'open', 'pending', 'on_hold')`;

/** The conditions of list filters that are not simple column comparisons. */
export function conditionsOf(query: TicketsQuery): Condition[] {
  const conditions = sharedConditions(query);
  const add = (sql: string, values: Record<string, unknown>) => conditions.push({ sql, values });
  if (query.requester_email) add('t.requester_email = ANY(:emails)', { emails: query.requester_email.map(emailOf) });
  if (query.number) add('t.number = ANY(:numbers)', { numbers: query.number.map((number) => number.toUpperCase()) });
  if (query.sla_due_before !== undefined) add(`COALESCE(t.sla_due_at, 'infinity') < :due`, { due: query.sla_due_before });
  return conditions;
}

/** The conditions of a view. */
export function conditionsOfView(filters: ViewFilters): Condition[] {
  const conditions = sharedConditions(filters);
  for (const column of ['status_id', 'queue_id'] as const)
    if (filters[column]) conditions.push({ sql: `t.${column} = ANY(:ids)`, values: { ids: filters[column] } });
  if (filters.assignee_id) {
    const ids = filters.assignee_id.filter((id) => id !== 'none');
    const orNone = ids.length < filters.assignee_id.length ? ' OR t.assignee_id IS NULL' : '';
    conditions.push({ sql: `t.assignee_id = ANY(:ids)${orNone}`, values: { ids } });
  }
  return conditions;
}

function sharedConditions({ status_category, priority, tag }: Pick<ViewFilters, 'status_category' | 'priority' | 'tag'>): Condition[] {
  const conditions: Condition[] = [];
  if (status_category) conditions.push(ofCategories(status_category));
  if (priority) conditions.push({ sql: 't.priority = ANY(:ranks)', values: { ranks: priority.map(rankOf) } });
  // the index of tags leaves out empty arrays: PostgreSQL uses it only if the query repeats that. What is unsolved is found faster by
  // the indexes of what is unsolved, also if most of it has the tag, which PostgreSQL does not expect
  const usesIndex = isUnsolvedOnly(status_category ?? []) ? '' : ` AND t.tags <> '{}'`;
  if (tag) conditions.push({ sql: `t.tags && :tags::text[]${usesIndex}`, values: { tags: tagsOf(tag) } });
  return conditions;
}

function isUnsolvedOnly(given: readonly CategoryFilter[]): boolean {
  return given.length > 0 && given.every((one) => one === 'unsolved' || (UNSOLVED as readonly StatusCategory[]).includes(one));
}

function ofCategories(given: readonly CategoryFilter[]): Condition {
  const categories = new Set<StatusCategory>(given.flatMap((one) => (one === 'unsolved' ? UNSOLVED : one)));
  const isOpenSet = categories.size === UNSOLVED.length && UNSOLVED.every((category) => categories.has(category));
  if (isOpenSet) return { sql: IS_UNSOLVED, values: {} };
  return {
    sql: `t.status_category = ANY(:categories)${isUnsolvedOnly(given) ? ` AND ${IS_UNSOLVED}` : ''}`,
    values: { categories: [...categories] },
  };
}
