import { Body, Controller, Post, Res } from '@nestjs/common';
import { Ctx, Endpoint } from '../../../kit/index.js';
import { LeadSubmissionBody, LeadSubmissionDto } from './lead-submission.dto.js';
import { LeadSubmissions } from './lead-submissions.service.js';
import { LeadWebhookLog } from '../log/lead-webhook-log.js';

const LARGEST_BODY = 64 * 1024;

@Controller('api/v1/webhooks/leads')
export class LeadSubmissionsController {
  constructor(private readonly submissions: LeadSubmissions) {}

  @Post()
  @Endpoint({
    scope: 'lead_webhook:lead:write',
    operation: 'submit_lead',
    summary: 'Hand in a lead',
    returns: LeadSubmissionDto,
    status: 201,
    alsoReturns: { 200: 'The lead was there already: its submission_count was raised, and with update_if_exists it was changed.' },
    bodyLimit: LARGEST_BODY,
    callLog: LeadWebhookLog,
    description:
      'Looks for a lead of the project with the same external_id, then email, then phone, and creates one when there is none. Assignment rules run for a new lead; scoring does not. null and empty text equal leaving a field out. The lead belongs to the project of the key.',
  })
  async submit(
    @Ctx() ctx: Ctx,
    @Body() body: LeadSubmissionBody,
    @Res({ passthrough: true }) reply: { status(code: number): unknown },
  ): Promise<LeadSubmissionDto> {
    const answer = await this.submissions.submit(ctx, body);
    if (answer.result !== 'created') reply.status(200);
    return answer;
  }
}
