import { describeModule } from '../../../test/kit/describe-module.js';
import { sharedApp } from '../../../test/kit/hosted-app.js';

await describeModule(await sharedApp(), 'lead_webhook', {
  samples: {
    submit_lead: ({ project, unique }) => ({ project_id: project.id, full_name: 'Ada Lovelace', email: `${unique()}@example.com` }),
  },
});
