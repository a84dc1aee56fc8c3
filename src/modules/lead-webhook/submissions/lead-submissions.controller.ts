import { Body, Controller, Post, Res } from '@nestjs/common';
import { Ctx, Endpoint } from '../../../kit/index.js';
import { LeadSubmissionBody, LeadSubmissionDto } from './lead-submission.dto.js';
import { LeadSubmissions } from './lead-submissions.service.js';
import { LeadWebhookLog } from '../log/lead-webhook-log.js';
import { LeadEvents } from '../../crm/crm.public.js';

const MAX_BODY_SIZE = 64 * 1024;

@Controller('api/v1/webhooks/leads')
export class LeadSubmissionsController {
  constructor(private readonly submissions: LeadSubmissions) {}

  @Post()
  @Endpoint({
    scope: 'lead_webhook:lead:write',
    operation: 'submit_lead',
    summary: 'Submit a lead',
    returns: LeadSubmissionDto,
    status: 201,
    alsoReturns: { 200: 'The lead exists: its submission_count was incremented, and with update_if_exists it was updated.' },
    bodyLimit: MAX_BODY_SIZE,
    callLog: LeadWebhookLog,
    description:
      'Looks for a lead of the project with the same external_id, then email, then phone, and creates one when there is none. ' +
      'A phone number counts with its extension, and only if it is valid or has at least seven digits that are not all equal. ' +
      'Assignment rules run for a new lead; scoring does not. null and empty text are like an omitted field. ' +
      'The lead belongs to the project of the key.',
    emits: [LeadEvents.leadUpdated, LeadEvents.leadStatusChanged, LeadEvents.leadCreated],
  })
  async submit(
    @Ctx() ctx: Ctx,
    @Body() body: LeadSubmissionBody,
    @Res({ passthrough: true }) reply: { status(code: number): unknown },
  ): Promise<LeadSubmissionDto> {
    const submission = await this.submissions.submit(ctx, body);
    if (submission.result !== 'created') reply.status(200);
    return submission;
  }
}
