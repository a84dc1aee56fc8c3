import { describeModule } from '../../../test/contract/module/describe-module.js';
import { sharedApp } from '../../../test/harness/hosted-app.js';

await describeModule(await sharedApp(), 'lead_webhook', {
  // the log is of the organization's keys, in both modes
  scopings: { list_lead_webhook_logs: 'organization' },
  requestLogs: ['lead_webhook_logs'],
  samples: {
    submit_lead: ({ project, unique }) => ({ project_id: project.id, full_name: 'Ada Lovelace', email: `${unique()}@example.com` }),
  },
});
