import { describeModule } from '../../../test/contract/module/describe-module.js';
import { sharedApp } from '../../../test/harness/hosted-app.js';

const COUNTS = ['rows_total', 'rows_done', 'created_count', 'error_count', 'warning_count'];
/** What a job changes of an import. */
const PROGRESS = ['state', 'encoding', 'delimiter', 'started_at', 'finished_at', 'updated_at', 'version', ...COUNTS];

await describeModule(await sharedApp(), 'lead_webhook', {
  // the log is of the organization's keys, in both modes
  scopings: { list_lead_webhook_logs: 'organization' },
  requestLogs: ['lead_webhook_logs'],
  varies: { list_lead_imports: PROGRESS, get_lead_import: PROGRESS },
  samples: {
    submit_lead: ({ project, unique }) => ({ project_id: project.id, full_name: 'Ada Lovelace', email: `${unique()}@example.com` }),
  },
  // a leak that only these show passes the checks
  unreached: ['submit_lead source_id'],
});
