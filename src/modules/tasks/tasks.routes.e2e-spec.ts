import { describeModule } from '../../../test/contract/module/describe-module.js';
import { sharedApp } from '../../../test/harness/hosted-app.js';

await describeModule(await sharedApp(), 'tasks', {
  samples: {
    create_task: ({ project, unique }) => ({ project_id: project.id, title: `Task ${unique()}` }),
    update_task: ({ unique }) => ({ title: `Task ${unique()}` }),
    batch_tasks: ({ project, unique }) => ({ items: [{ action: 'create', data: { project_id: project.id, title: `Task ${unique()}` } }] }),
    create_task_comment: ({ unique }) => ({ body: `Comment ${unique()}` }),
    list_task_statuses: ({ project }) => ({ project_id: project.id }),
  },
  resources: { '/projects/{id}': { make: ({ project }) => project.id, scoping: 'configuration' } },
});
