import { afterAll, beforeAll } from '@jest/globals';
import type { TestApp } from '../kit/app.js';
import { createBindersApp } from '../kit/binders-app.js';
import { BindersModule } from '../kit/binders.fixture.js';
import { describeModule } from '../kit/describe-module.js';
import { createNotesApp } from '../kit/notes-app.js';
import { NotesModule } from '../kit/notes.fixture.js';

// The fixtures pass every check, so a failure in a module's test file is caused by that module.
let app: TestApp;
let bindersApp: TestApp;
beforeAll(async () => {
  [app, bindersApp] = await Promise.all([createNotesApp(), createBindersApp()]);
});
afterAll(() => Promise.all([app.close(), bindersApp.close()]));

describeModule(NotesModule, {
  app: () => app,
  samples: {
    create_note: ({ project, unique }) => ({ project_id: project.id, title: `Note ${unique()}`, extra: { color: 'red' } }),
    update_note: ({ unique }) => ({ title: `Note ${unique()}` }),
  },
});

describeModule(BindersModule, {
  app: () => bindersApp,
  samples: {
    create_binder: ({ project, unique }) => ({ project_id: project.id, title: `Binder ${unique()}` }),
    replace_binder_leaves: () => ({ leaves: [{ page: 1 }, { page: 2 }] }),
  },
});
