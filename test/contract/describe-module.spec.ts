import { describeModule } from '../kit/describe-module.js';
import { ownBindersApp, ownNotesApp } from '../kit/fixture-apps.js';

// The fixtures pass every check, so a failure in a module's test file is caused by that module.
await describeModule(await ownNotesApp(), 'notes', {
  samples: {
    create_note: ({ project, unique }) => ({ project_id: project.id, title: `Note ${unique()}`, extra: { color: 'red' } }),
    update_note: ({ unique }) => ({ title: `Note ${unique()}` }),
  },
});

await describeModule(await ownBindersApp(), 'binders', {
  samples: {
    create_binder: ({ project, unique }) => ({ project_id: project.id, title: `Binder ${unique()}` }),
    replace_binder_leaves: () => ({ leaves: [{ page: 1 }, { page: 2 }] }),
  },
});
