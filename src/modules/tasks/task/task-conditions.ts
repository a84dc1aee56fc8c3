import { sql, type Condition } from '../../../kit/index.js';
import { rankOf } from '../lookups/task-priority.js';
import type { TasksQuery } from './tasks.dto.js';

/** The filters of list_tasks that compare more than one column, and conditions that let other filters use their indexes. */
export function conditionsOf({ priority, due_after, due_before, assignee_id, label_id }: TasksQuery): Condition[] {
  const conditions: Condition[] = [];
  if (priority) conditions.push(sql`t.priority = ANY(${priority.map(rankOf)})`);
  // lists sort by either COALESCE expression: bounding both lets PostgreSQL start the scan of either index at the bound
  if (due_after) conditions.push(sql`COALESCE(t.due_on, '-infinity') >= ${due_after} AND COALESCE(t.due_on, 'infinity') >= ${due_after}`);
  if (due_before) conditions.push(sql`COALESCE(t.due_on, 'infinity') < ${due_before} AND COALESCE(t.due_on, '-infinity') < ${due_before}`);
  // the array indexes are partial and omit empty arrays: PostgreSQL uses them only if the query repeats that condition
  if (assignee_id && !assignee_id.includes(null)) conditions.push(sql`t.assignee_ids <> '{}'`);
  if (label_id && !label_id.includes(null)) conditions.push(sql`t.label_ids <> '{}'`);
  return conditions;
}
