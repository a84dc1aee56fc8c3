import { describeModule } from '../../../test/kit/describe-module.js';
import { sharedApp } from '../../../test/kit/hosted-app.js';
import { makeCalendar } from '../../../test/kit/schedule-fixture.js';

await describeModule(await sharedApp(), 'schedule', {
  resources: {
    '/calendars/{id}': {
      make: async ({ workspace, project, unique }) => (await makeCalendar(workspace, { project_id: project.id, name: unique() })).id,
      scoping: 'configuration',
    },
  },
});
