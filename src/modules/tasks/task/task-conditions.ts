import type { Condition } from '../../../kit/index.js';
import { rankOf } from '../lookups/task-priority.js';
import type { TasksQuery } from './tasks.dto.js';

/** The filters of list_tasks that are more than a comparison with a column, and what makes others find their index. */
export function conditionsOf({ priority, due_after, due_before, assignee_id, label_id }: TasksQuery): Condition[] {
  const conditions: Condition[] = [];
  if (priority) conditions.push({ sql: 't.priority = ANY(:ranks)', values: { ranks: priority.map(rankOf) } });
  // each bound is said of both expressions that lists are sorted by, so that either index is read from the bound on
  if (due_after)
    conditions.push({
      sql: `COALESCE(t.due_on, '-infinity') >= :day AND COALESCE(t.due_on, 'infinity') >= :day`,
      values: { day: due_after },
    });
  if (due_before)
    conditions.push({
      sql: `COALESCE(t.due_on, 'infinity') < :day AND COALESCE(t.due_on, '-infinity') < :day`,
      values: { day: due_before },
    });
  // the indexes of the arrays leave out empty ones, which PostgreSQL uses only when the query rules them out in so many words
  if (assignee_id && !assignee_id.includes(null)) conditions.push({ sql: `t.assignee_ids <> '{}'`, values: {} });
  if (label_id && !label_id.includes(null)) conditions.push({ sql: `t.label_ids <> '{}'`, values: {} });
  return conditions;
}
