// What other modules may import from this one: submitting a lead as the webhook does, matched with existing leads.
export { LeadSubmissionBody } from './submissions/lead-submission.dto.js';
export { LeadSubmissions } from './submissions/lead-submissions.service.js';
export { LeadWebhookModule } from './lead-webhook.module.js';
