import { DomainModule } from '../../kit/index.js';
import { CrmModule } from '../crm/crm.module.js';
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
  entities: [LeadWebhookLogRow],
  controllers: [LeadSubmissionsController, LeadWebhookLogsController],
  providers: [LeadSubmissions, LeadWebhookLog, LeadWebhookPurge],
})
export class LeadWebhookModule {}
