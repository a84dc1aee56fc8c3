/** What an agent is told of the module. */
export const TASKS_GUIDE = `
Tasks are pieces of work in a project. Each has a key that people use, such as ENG-42, and an id that calls use.

The usual order of calls:
1. list_projects, unless the key is bound to a project; keep the project's id.
2. list_task_statuses, list_task_members and list_task_labels for the ids that may be sent. Use only ids that these return.
3. list_tasks with q or key, to see whether the task is there already.
4. create_task or update_task; create_task_comment to say why. batch_tasks for many changes at once.

A status has a name of the team's own and a group that says what it means: backlog, unstarted and started are open;
completed and cancelled end the task and set completed_at. A task may move from any status of its project to any other.
A new task without status_id gets the project's default status.

A task may be a part of another task of the same project (parent_id), up to 10 levels deep. Deleting a task deletes its
comments and leaves its subtasks without a parent; to end a task and keep it, move it to a cancelled status.

update_task changes only what is sent; lists such as assignee_ids replace the list before. Send the version you read as
if_match when another's change in between must not be lost.
`.trim();
