import type { EventTriggers, TriggerStep } from '../../kit/index.js';

const CREATE: TriggerStep = { call: 'create_task', body: { title: 'Triggered {unique}' }, as: 'task' };
const params = { id: '{task.id}' };

/** How `work-suite trigger` causes the events of tasks. */
export const TASK_TRIGGERS: EventTriggers = {
  'task.created': [CREATE],
  'task.updated': [CREATE, { call: 'update_task', params, body: { priority: 'high' } }],
  'task.status_changed': [
    CREATE,
    { call: 'list_task_statuses', query: { project_id: '{task.project_id}' }, as: 'statuses' },
    { call: 'update_task', params, body: { status_id: '{statuses.data[group=completed].id}' } },
  ],
  'task.comment_added': [CREATE, { call: 'create_task_comment', params, body: { body: 'Triggered {unique}' } }],
  'task.deleted': [CREATE, { call: 'delete_task', params }],
  'task.restored': [CREATE, { call: 'delete_task', params }, { call: 'restore_task', params }],
};
