import { describeModule } from './module/describe-module.js';
import { ownBindersApp } from '../harness/fixtures/fixture-apps.js';

// A file of its own: members of an application cannot sign in once its process has started another.
await describeModule(await ownBindersApp(), 'binders', {
  samples: {
    create_binder: ({ project, unique }) => ({ project_id: project.id, title: `Binder ${unique()}` }),
    replace_binder_leaves: () => ({ leaves: [{ page: 1 }, { page: 2 }] }),
  },
});
