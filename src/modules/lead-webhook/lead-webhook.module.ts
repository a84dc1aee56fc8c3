import { DomainModule } from '../../kit/index.js';
import { CrmModule } from '../crm/crm.public.js';
import { ImportLeads } from './import-leads.job.js';
import { LeadImportIssue } from './lead-import-issue.entity.js';
import { LeadImport } from './lead-import.entity.js';
import { LeadImportsController } from './lead-imports.controller.js';
import { LeadImports } from './lead-imports.service.js';
import { LeadSubmissionsController } from './lead-submissions.controller.js';
import { LeadSubmissions } from './lead-submissions.service.js';
import { LeadWebhookLogRow } from './lead-webhook-log.entity.js';
import { LeadWebhookLog } from './lead-webhook-log.js';
import { LeadWebhookLogsController } from './lead-webhook-logs.controller.js';
import { LeadWebhookPurge } from './lead-webhook-purge.js';
import { LEAD_WEBHOOK_GUIDE } from './lead-webhook.guide.js';

@DomainModule({
  name: 'lead_webhook',
  title: 'Lead webhook',
  guide: LEAD_WEBHOOK_GUIDE,
  scopes: { 'lead_webhook:lead:write': 'Hand in leads' },
  imports: [CrmModule],
  entities: [LeadWebhookLogRow, LeadImport, LeadImportIssue],
  controllers: [LeadSubmissionsController, LeadWebhookLogsController, LeadImportsController],
  providers: [LeadSubmissions, LeadWebhookLog, LeadWebhookPurge, LeadImports],
  exports: [LeadSubmissions],
  jobs: [ImportLeads],
})
export class LeadWebhookModule {}
