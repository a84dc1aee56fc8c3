// What other modules may use of this one: handing in a lead as the webhook does, matched with those that are there.
export { LeadSubmissionBody } from './submissions/lead-submission.dto.js';
export { LeadSubmissions } from './submissions/lead-submissions.service.js';
export { LeadWebhookModule } from './lead-webhook.module.js';
