import { Body, Controller, Patch, Post } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id } from '../../../../kit/index.js';
import { DocumentViews } from '../../views/document-views.js';
import { DocumentDto, SubmitDocumentDto } from '../../views/documents.dto.js';
import { DocumentErrors } from '../../model/core/documents.errors.js';
import { Submission } from '../transitions/submission.service.js';
import { Reminders } from '../decisions/reminders.service.js';
import { WorkflowActions } from './workflow-actions.service.js';
import { ReminderDto, RemindDto, WorkflowActionDto } from './workflow.dto.js';
import { DocumentEvents } from '../../views/documents.events.js';
import { DOCUMENT_NUMBER } from '../../model/records/document-number.js';

@Controller('/api/v1/ext/papers/documents/:id')
export class WorkflowController {
  constructor(
    private readonly submission: Submission,
    private readonly actions: WorkflowActions,
    private readonly reminders: Reminders,
    private readonly views: DocumentViews,
  ) {}

  @Post('submit')
  @Endpoint({
    scope: 'papers:document:write',
    member: { permission: 'papers.document.manage' },
    operation: 'submit_document',
    summary: 'Submit a document',
    returns: DocumentDto,
    ifMatch: true,
    openWorld: true,
    description:
      'Starts approval: mails the approvers, not signers (act_on_document does), or approves at once if the type needs none. ' +
      'Nobody approves their own submission or a step twice: a step that then lacks approvers asks escalate_to or fails with ' +
      'not_enough_approvers.',
    errors: [
      CommonErrors.missingFields,
      DocumentErrors.notEnoughApprovers,
      DocumentErrors.invalidTransition,
      DocumentErrors.invalidLifecycle,
      CommonErrors.permissionDenied,
    ],
    emits: [DocumentEvents.stateChanged, DocumentEvents.commentAdded, DocumentEvents.finalized],
  })
  async submit(@Ctx() ctx: Ctx, @Id(DOCUMENT_NUMBER) id: string, @Body() body: SubmitDocumentDto): Promise<DocumentDto> {
    return this.views.of(ctx, await this.submission.submit(ctx, id, body));
  }

  @Patch('workflow/status')
  @Endpoint({
    scope: 'papers:workflow:act',
    operation: 'act_on_document',
    summary: 'Approve, reject, return or move a document',
    returns: DocumentDto,
    requiresActor: true,
    destructive: true,
    openWorld: true,
    description:
      'TRANSITION finalize closes an approved document, send mails a final one to its signers: see its allowed_actions. ' +
      'approver_email gets a mail. Nobody decides for others on documents that they submitted.',
    errors: [
      CommonErrors.missingFields,
      DocumentErrors.invalidAction,
      DocumentErrors.invalidTransition,
      DocumentErrors.missingApproverEmail,
      DocumentErrors.approverNotFound,
      DocumentErrors.notAnApprover,
      DocumentErrors.staleDecision,
      DocumentErrors.invalidLifecycle,
      DocumentErrors.approvalActionFailed,
      CommonErrors.permissionDenied,
    ],
    emits: [
      DocumentEvents.obligationCreated,
      DocumentEvents.stateChanged,
      DocumentEvents.commentAdded,
      DocumentEvents.finalized,
      DocumentEvents.sent,
      DocumentEvents.revoked,
      DocumentEvents.superseded,
    ],
  })
  async act(@Ctx() ctx: Ctx, @Id(DOCUMENT_NUMBER) id: string, @Body() body: WorkflowActionDto): Promise<DocumentDto> {
    return this.views.of(ctx, await this.actions.act(ctx, id, body));
  }

  @Post('remind')
  @Endpoint({
    scope: 'papers:document:write',
    member: { permission: 'papers.document.manage' },
    operation: 'remind_document',
    summary: 'Remind approvers or signers',
    returns: ReminderDto,
    ifMatch: true,
    openWorld: true,
    description: 'Each person at most once an hour. A party gets a new link.',
    errors: [DocumentErrors.invalidTransition, CommonErrors.rateLimited],
  })
  async remind(@Ctx() ctx: Ctx, @Id(DOCUMENT_NUMBER) id: string, @Body() { email }: RemindDto): Promise<ReminderDto> {
    return { object: 'reminder', reminded: await this.reminders.remind(ctx, id, email ?? null) };
  }
}
