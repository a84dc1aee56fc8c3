import { Body, Controller, Post } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id, Store } from '../../../../kit/index.js';
import { DocumentViews } from '../../views/document-views.js';
import { Document } from '../../model/records/document.entity.js';
import { DocumentDto } from '../../views/documents.dto.js';
import { DocumentErrors } from '../../model/core/documents.errors.js';
import { Decisions } from '../decisions/decisions.service.js';
import {
  DecideDocumentDto,
  MoveDocumentDto,
  OverrideDocumentDto,
  RevokeDocumentDto,
  SendDocumentDto,
  SupersedeDocumentDto,
} from './org-workflow.dto.js';
import { Override } from '../transitions/override.service.js';
import { Transitions, type TransitionInput, type TransitionTrigger } from '../transitions/transitions.service.js';
import { DOCUMENT_NUMBER } from '../../model/records/document-number.js';

const manage = 'papers.document.manage';
const errors = [CommonErrors.missingFields, DocumentErrors.invalidTransition, DocumentErrors.invalidLifecycle];

/** Moves for signed-in members, one route per move; submitting and reminding are as for keys. */
@Controller('/api/v1/org/papers/documents/:id')
export class OrgWorkflowController {
  constructor(
    private readonly store: Store,
    private readonly decisions: Decisions,
    private readonly transitions: Transitions,
    private readonly overrides: Override,
    private readonly views: DocumentViews,
  ) {}

  @Post('decide')
  @Endpoint({
    permission: 'papers.document.approve',
    operation: 'decide_org_document',
    summary: 'Approve, reject or return a document',
    description:
      'On behalf of the signed-in member, who must be an approver of the current step. A member who is asked on several steps names ' +
      'the decision with decision_id or step.',
    returns: DocumentDto,
    ifMatch: true,
    errors: [
      ...errors,
      DocumentErrors.invalidAction,
      DocumentErrors.notAnApprover,
      DocumentErrors.staleDecision,
      DocumentErrors.approvalActionFailed,
    ],
  })
  async decide(
    @Ctx() ctx: Ctx,
    @Id(DOCUMENT_NUMBER) id: string,
    @Body() { decision, comments, lifecycle_action, decision_id, step }: DecideDocumentDto,
  ): Promise<DocumentDto> {
    const approver = { memberId: ctx.memberId as string };
    return this.views.of(
      ctx,
      await this.decisions.decide(ctx, id, {
        kind: decision,
        approver,
        comments: comments ?? null,
        lifecycleAction: lifecycle_action ?? null,
        decisionId: decision_id ?? null,
        step: step ?? null,
      }),
    );
  }

  @Post('recall')
  @Endpoint({
    permission: manage,
    operation: 'recall_org_document',
    summary: 'Recall a document from its approvers',
    description: 'Only for the creator or the submitter.',
    returns: DocumentDto,
    ifMatch: true,
    errors,
  })
  recall(@Ctx() ctx: Ctx, @Id(DOCUMENT_NUMBER) id: string, @Body() body: MoveDocumentDto): Promise<DocumentDto> {
    return this.run(ctx, id, 'recall', inputOf(body));
  }

  @Post('finalize')
  @Endpoint({
    permission: manage,
    operation: 'finalize_org_document',
    summary: 'Finalize a document',
    description: 'Renders it, assigns its number if it has none, and freezes it.',
    returns: DocumentDto,
    ifMatch: true,
    errors,
  })
  finalize(@Ctx() ctx: Ctx, @Id(DOCUMENT_NUMBER) id: string, @Body() body: MoveDocumentDto): Promise<DocumentDto> {
    return this.run(ctx, id, 'finalize', inputOf(body));
  }

  @Post('send')
  @Endpoint({
    permission: manage,
    operation: 'send_org_document',
    summary: 'Ask the parties to sign',
    returns: DocumentDto,
    ifMatch: true,
    errors,
  })
  send(@Ctx() ctx: Ctx, @Id(DOCUMENT_NUMBER) id: string, @Body() body: SendDocumentDto): Promise<DocumentDto> {
    return this.run(ctx, id, 'send', { ...inputOf(body), sending: body.sending ?? undefined });
  }

  @Post('revoke')
  @Endpoint({
    permission: manage,
    operation: 'revoke_org_document',
    summary: 'Revoke a document',
    description: 'Possible until it expires or is superseded, even after all parties have signed it. Signers keep their copies.',
    returns: DocumentDto,
    ifMatch: true,
    errors,
  })
  revoke(@Ctx() ctx: Ctx, @Id(DOCUMENT_NUMBER) id: string, @Body() body: RevokeDocumentDto): Promise<DocumentDto> {
    return this.run(ctx, id, 'revoke', inputOf(body));
  }

  @Post('supersede')
  @Endpoint({
    permission: manage,
    operation: 'supersede_org_document',
    summary: 'Supersede a document with another',
    description: 'The replacement must be finalized.',
    returns: DocumentDto,
    ifMatch: true,
    errors,
  })
  supersede(@Ctx() ctx: Ctx, @Id(DOCUMENT_NUMBER) id: string, @Body() body: SupersedeDocumentDto): Promise<DocumentDto> {
    return this.run(ctx, id, 'supersede', { ...inputOf(body), superseded_by_id: body.superseded_by_id });
  }

  @Post('reopen')
  @Endpoint({
    permission: 'papers.document.override',
    operation: 'reopen_org_document',
    summary: 'Reopen a document as a draft',
    description:
      'Begins a new revision of a document that was rejected or declined, has expired or is being signed, for example to use another ' +
      'file. Links of parties that were asked to sign stop working. A document that all parties have signed cannot be reopened; create ' +
      'a replacement instead.',
    returns: DocumentDto,
    ifMatch: true,
    errors: [...errors, DocumentErrors.contentErased],
  })
  reopen(@Ctx() ctx: Ctx, @Id(DOCUMENT_NUMBER) id: string, @Body() body: MoveDocumentDto): Promise<DocumentDto> {
    return this.run(ctx, id, 'reopen', inputOf(body));
  }

  @Post('override')
  @Endpoint({
    permission: 'papers.document.override',
    operation: 'override_org_document',
    summary: 'Set a document to another stage',
    returns: DocumentDto,
    ifMatch: true,
    errors: [...errors, DocumentErrors.notEnoughApprovers, DocumentErrors.contentErased],
    description:
      'Overrides its lifecycle, with a reason for the audit trail. Never sets sent, partially_signed or executed, which only the parties ' +
      'can. From finalized on, the data must be complete. A document that all parties have signed is final and cannot be overridden.',
  })
  async override(@Ctx() ctx: Ctx, @Id(DOCUMENT_NUMBER) id: string, @Body() { to, reason }: OverrideDocumentDto): Promise<DocumentDto> {
    return this.views.of(
      ctx,
      await this.store.write(ctx, async (tx) => this.overrides.run(ctx, tx, await tx.target(Document, id), to, reason)),
    );
  }

  private async run(ctx: Ctx, id: string, trigger: TransitionTrigger, input: TransitionInput): Promise<DocumentDto> {
    return this.views.of(
      ctx,
      await this.store.write(ctx, async (tx) => this.transitions.run(ctx, tx, await tx.target(Document, id), trigger, input)),
    );
  }
}

function inputOf({ lifecycle_action, reason }: MoveDocumentDto): TransitionInput {
  return { lifecycleAction: lifecycle_action, reason };
}
