import type { ConsoleSetting, LargeBodies, ModuleContract } from '../../../../test/contract/module-contract.js';
import type { TestApp } from '../../../../test/harness/test-app.js';
import type { Workspace } from '../../../../test/harness/workspace.js';

export const contract: ModuleContract = {
  operations: `
    list_projects get_project list_tasks get_task create_task update_task delete_task restore_task batch_tasks list_task_comments
    create_task_comment list_task_statuses list_task_priorities list_task_labels list_task_members
  `,
  destructive: ['batch_tasks'],
  withoutUndo: ['delete_org_task_label', 'delete_org_task_status'],
  rarelySucceed: { restore_task: 'The task must be a deleted one.' },
  largeBodies,
  consolePages,
};

async function largeBodies(_app: TestApp, workspace: Workspace): Promise<LargeBodies> {
  const task = await (await workspace.signIn()).post('/api/v1/org/tasks/tasks', { project_id: workspace.eng.id, title: 'Task' });
  return { resources: { '/tasks/': task.body.id as string } };
}

/** An event, its deliveries and a request in the log, and a deleted record. */
async function consolePages({ workspace, name }: ConsoleSetting): Promise<Record<string, string>> {
  const { client } = await workspace.key();
  const create = () => client.post('/api/v1/ext/tasks/tasks', { project_id: workspace.eng.id, title: name });
  await create();
  await client.delete(`/api/v1/ext/tasks/tasks/${(await create()).body.id}`);
  return {};
}
