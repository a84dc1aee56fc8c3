import { describeModule } from '../../../test/kit/describe-module.js';
import { LeadWebhookModule } from './lead-webhook.module.js';

describeModule(LeadWebhookModule, {
  samples: {
    submit_lead: ({ project, unique }) => ({ project_id: project.id, full_name: 'Ada Lovelace', email: `${unique()}@example.com` }),
  },
});
