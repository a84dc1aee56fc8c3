import { describeModule } from './module/describe-module.js';
import { ownNotesApp } from '../harness/fixtures/fixture-apps.js';
import { SampleFile } from './module/module-samples.js';

// The fixtures pass every check, so a failure in a module's test file is caused by that module.
await describeModule(await ownNotesApp(), 'notes', {
  samples: {
    create_note: ({ project, unique }) => ({ project_id: project.id, title: `Note ${unique()}`, extra: { color: 'red' } }),
    import_notes: ({ project, unique }) => ({ project_id: project.id, body: new SampleFile('text/plain', `${unique()}\n${unique()}\n`) }),
    update_note: ({ unique }) => ({ title: `Note ${unique()}` }),
  },
});
