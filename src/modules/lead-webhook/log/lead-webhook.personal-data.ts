import { containsAddress, personalData, sql } from '../../../kit/index.js';
import { LeadImportIssue } from '../imports/lead-import-issue.entity.js';
import { LeadWebhookLogRow } from './lead-webhook-log.entity.js';

/** What the module stores about people. */
export const LEAD_WEBHOOK_PERSONAL_DATA = [
  personalData(LeadWebhookLogRow, {
    title: 'requests to the lead webhook',
    where: (person) => containsAddress(sql`t.body`, person),
    erase: { body: null, body_masked: true, address: '', user_agent: null },
  }),
  personalData(LeadImportIssue, {
    title: 'issues of imports',
    where: (person) => containsAddress(sql`t.message`, person),
    erase: 'delete',
  }),
];
