import { DomainModule, projectLookup } from '../../kit/index.js';
import { CrmModule } from '../crm/crm.public.js';
import { leadKeyNewPage } from './console/lead-key-new.page.js';
import { leadKeyPage } from './console/lead-key.page.js';
import { leadKeysPage } from './console/lead-keys.page.js';
import { leadRequestPage } from './console/lead-request.page.js';
import { leadRequestsPage } from './console/lead-requests.page.js';
import { ContinueImports } from './imports/continue-imports.scheduled-job.js';
import { ImportLeads } from './imports/import-leads.job.js';
import { LeadImportIssue } from './imports/lead-import-issue.entity.js';
import { LeadImportKeyRow } from './imports/lead-import-key-row.entity.js';
import { LeadImport } from './imports/lead-import.entity.js';
import { LeadImportsController } from './imports/lead-imports.controller.js';
import { LeadImports } from './imports/lead-imports.service.js';
import { LeadSubmissionsController } from './submissions/lead-submissions.controller.js';
import { LeadSubmissions } from './submissions/lead-submissions.service.js';
import { LeadWebhookLogRow } from './log/lead-webhook-log.entity.js';
import { LeadWebhookLog } from './log/lead-webhook-log.js';
import { LeadWebhookLogsController } from './log/lead-webhook-logs.controller.js';
import { MaskLeadBodies } from './log/mask-lead-bodies.scheduled-job.js';
import { LEAD_WEBHOOK_DEMO } from './lead-webhook.demo.js';
import { LEAD_WEBHOOK_GUIDE } from './lead-webhook.guide.js';
import { LEAD_WEBHOOK_PERSONAL_DATA } from './log/lead-webhook.personal-data.js';

/**
 * Leads from outside: by webhook, matched with the leads that exist, or by CSV import.
 * - `submissions/` the webhook and the matching of leads
 * - `imports/` CSV files and the job that imports them
 * - `log/` the log of every webhook request
 * - `console/` its pages of the console
 */
@DomainModule({
  name: 'lead_webhook',
  title: 'Lead webhook',
  guide: LEAD_WEBHOOK_GUIDE,
  demo: LEAD_WEBHOOK_DEMO,
  scopes: { 'lead_webhook:lead:write': 'Submit leads', 'lead_webhook:project:read': 'Read projects' },
  permissions: {
    'org.developer.leadkeys.create': {
      title: 'Create, change and roll lead-webhook keys',
      group: 'Developer area',
      roles: ['admin', 'developer'],
      needsSecondFactor: true,
    },
    'org.developer.leadkeys.delete': {
      title: 'Revoke lead-webhook keys',
      group: 'Developer area',
      roles: ['admin', 'developer'],
      needsSecondFactor: true,
    },
    'org.developer.leadkeys.view': { title: 'See lead-webhook keys', group: 'Developer area', roles: ['admin', 'developer'] },
    'org.developer.leadkeys.logs.view': {
      title: 'See the requests of lead-webhook keys',
      group: 'Developer area',
      roles: ['admin', 'developer'],
    },
  },
  // they are embedded in web forms
  keys: {
    permissions: {
      view: 'org.developer.leadkeys.view',
      create: 'org.developer.leadkeys.create',
      delete: 'org.developer.leadkeys.delete',
      calls: 'org.developer.leadkeys.logs.view',
    },
    ratePerMinute: 120,
    consolePath: '/lead-webhook',
  },
  pages: [leadKeysPage, leadKeyNewPage, leadKeyPage, leadRequestsPage, leadRequestPage],
  imports: [CrmModule],
  entities: [LeadWebhookLogRow, LeadImport, LeadImportIssue, LeadImportKeyRow],
  personalData: LEAD_WEBHOOK_PERSONAL_DATA,
  controllers: [
    projectLookup('/api/v1/ext/lead_webhook/projects', 'list_lead_webhook_projects', { scope: 'lead_webhook:project:read' }),
    LeadSubmissionsController,
    LeadWebhookLogsController,
    LeadImportsController,
  ],
  providers: [LeadSubmissions, LeadWebhookLog, LeadImports],
  exports: [LeadSubmissions],
  jobs: [ImportLeads],
  scheduledJobs: [MaskLeadBodies, ContinueImports],
  retention: [
    { table: 'lead_webhook_logs', column: 'id', columnType: 'uuidv7', keepDays: 90, batch: 500, partitioned: true },
    { table: 'lead_imports', column: 'id', columnType: 'uuidv7', keepDays: 90, batch: 500 },
  ],
})
export class LeadWebhookModule {}
