import { afterAll, beforeAll } from '@jest/globals';
import type { TestApp } from '../kit/app.js';
import { describeModule } from '../kit/describe-module.js';
import { createNotesApp } from '../kit/notes-app.js';
import { NotesModule } from '../kit/notes.fixture.js';

// the fixture passes what every module must pass, so a failure in a module's own file is the module's
let app: TestApp;
beforeAll(async () => {
  app = await createNotesApp();
});
afterAll(() => app.close());

describeModule(NotesModule, {
  app: () => app,
  samples: {
    create_note: ({ project, unique }) => ({ project_id: project.id, title: `Note ${unique()}`, extra: { color: 'red' } }),
    update_note: ({ unique }) => ({ title: `Note ${unique()}` }),
  },
});
