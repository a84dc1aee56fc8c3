/** The module's guide for agents. */
export const TASKS_GUIDE = `
Tasks are pieces of work in a project. Each has an id and a key for people, such as ENG-42; calls take either.

The usual order of calls:
1. get_tasks_context: projects, statuses, priorities, labels and members in one call. A section with has_more continues in its
   own list: list_projects, list_task_statuses, list_task_labels, list_task_members. Send only ids that these calls return.
2. Choose the project. Tasks of a call without project_id belong to the key's project, or else to the default project.
3. list_tasks with q or key, to check whether the task exists already.
4. create_task or update_task; create_task_comment to explain a change. batch_tasks for many changes at once.

A status has a name that the team chose and a group with a fixed meaning: backlog, unstarted and started are open;
completed and cancelled close the task and set completed_at. A task can move from any status of its project to any other.
A new task without status_id gets the project's default status.

A task can be a subtask of another task in the same project (parent_id), up to 10 levels deep. Deleting a task deletes its
comments and leaves its subtasks without a parent; to close a task but keep it, move it to a cancelled status.

update_task changes only the fields you send; lists such as assignee_ids replace the current list. Send the version you
read as if_match if a concurrent change must not be overwritten.
`.trim();
