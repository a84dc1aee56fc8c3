import { describeModule } from '../../../test/contract/module/describe-module.js';
import type { SampleContext } from '../../../test/contract/module/module-samples.js';
import { sharedApp } from '../../../test/harness/hosted-app.js';

/** What a task refers to, and a day. */
async function references({ client, project, workspace }: SampleContext) {
  const { body } = await client.get(`/api/v1/ext/tasks/labels?project_id=${project.id}`);
  return { assignee_ids: [workspace.owner.id], label_ids: [(body.data as { id: string }[])[0].id], due_on: '2027-03-01' };
}

await describeModule(await sharedApp(), 'tasks', {
  samples: {
    create_task: async (place) => ({ project_id: place.project.id, title: `Task ${place.unique()}`, ...(await references(place)) }),
    update_task: async (place) => ({ title: `Task ${place.unique()}`, ...(await references(place)) }),
    batch_tasks: ({ project, unique }) => ({ items: [{ action: 'create', data: { project_id: project.id, title: `Task ${unique()}` } }] }),
    create_task_comment: ({ unique }) => ({ body: `Comment ${unique()}` }),
    list_task_statuses: ({ project }) => ({ project_id: project.id }),
  },
  resources: { '/projects/{id}': { make: ({ project }) => project.id, scoping: 'configuration' } },
});
