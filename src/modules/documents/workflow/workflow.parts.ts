import { RESTORABLE_DAYS, type DomainModuleOptions } from '../../../kit/index.js';
import { OrgWorkflowController } from './actions/org-workflow.controller.js';
import { WorkflowActions } from './actions/workflow-actions.service.js';
import { WorkflowController } from './actions/workflow.controller.js';
import { ApprovalPageController } from './approval-page/approval-page.controller.js';
import { ApprovalPageActions } from './approval-page/approval-page-actions.service.js';
import { ApprovalPages } from './approval-page/approval-page.service.js';
import { ApprovalLink } from './approvals/approval-link.entity.js';
import { ApprovalMailer } from './approvals/approval-mailer.service.js';
import { ApprovalReminders } from './approvals/approval-reminders.service.js';
import { ApprovalsController } from './approvals/approvals.controller.js';
import { Approvals } from './approvals/approvals.service.js';
import { Approvers } from './approvals/approvers.service.js';
import { PendingApprovals } from './approvals/pending-approvals.service.js';
import { AskSubstitutesOf } from './approvals/ask-substitutes.job.js';
import { AskSubstitutes } from './approvals/ask-substitutes.scheduled-job.js';
import { OrgSubstitutesController } from './approvals/org-substitutes.controller.js';
import { SubstitutePeriods } from './approvals/substitute-periods.service.js';
import { SubstituteRequests } from './approvals/substitute-requests.service.js';
import { Submissions } from './approvals/submissions.service.js';
import { Substitutes } from './approvals/substitutes.service.js';
import { WithdrawRequests } from './approvals/withdraw-requests.js';
import { DocumentCommentsController } from './authoring/document-comments.controller.js';
import { DocumentComments } from './authoring/document-comments.service.js';
import { DocumentContacts } from './authoring/document-contacts.service.js';
import { DocumentEditing } from './authoring/document-editing.service.js';
import { DocumentsController } from './authoring/documents.controller.js';
import { DocumentsService } from './authoring/documents.service.js';
import { TokenValuesService } from './authoring/token-values.service.js';
import { OrgDocumentsController } from './authoring/org-documents.controller.js';
import { ContentController } from './content/content.controller.js';
import { Contents } from './content/contents.service.js';
import { Endings } from './content/endings.service.js';
import { PrintedContents } from './content/printed-contents.service.js';
import { ShownContents } from './content/shown-contents.service.js';
import { Letterheads } from './content/letterheads.service.js';
import { ApprovalProgress } from './decisions/approval-progress.service.js';
import { ApproverReleases } from './decisions/approver-releases.service.js';
import { Deciders } from './decisions/deciders.service.js';
import { Decisions } from './decisions/decisions.service.js';
import { EscalateApprovals } from './decisions/escalate-approvals.scheduled-job.js';
import { ReleaseApprovers } from './decisions/release-approvers.scheduled-job.js';
import { Settlements } from './decisions/settlements.service.js';
import { Reminders } from './decisions/reminders.service.js';
import { ExpireDocuments } from './expiry/expire-documents.scheduled-job.js';
import { RemindValidity } from './expiry/remind-validity.scheduled-job.js';
import { DocumentFileController } from './files/document-files.controller.js';
import { DocumentFiles } from './files/document-files.service.js';
import { FurtherFilesController } from './files/further-files.controller.js';
import { FurtherFiles } from './files/further-files.service.js';
import { OrgTypeFileController, OrgTypeFilesController } from './files/type-files.controller.js';
import { TypeFiles } from './files/type-files.service.js';
import { FilledFiles } from './content/filled-files.service.js';
import { CollectImages } from './images/collect-images.scheduled-job.js';
import { ImagesController } from './images/images.controller.js';
import { Images } from './images/images.service.js';
import { GivenFiles } from './files/given-files.service.js';
import { FollowMails } from './deliveries/follow-mails.scheduled-job.js';
import { FollowedMails } from './deliveries/followed-mails.service.js';
import { UndeliveredMails } from './deliveries/undelivered-mails.service.js';
import { DocumentMoves } from './moves/document-moves.js';
import { FollowObligations } from './obligations/follow-obligations.scheduled-job.js';
import { ObligationProposals } from './obligations/obligation-proposals.js';
import { ObligationSeries } from './obligations/obligation-series.js';
import { Obligation } from './obligations/obligation.entity.js';
import { ObligationsController } from './obligations/obligations.controller.js';
import { ObligationsService } from './obligations/obligations.service.js';
import { OrgObligationsController } from './obligations/org-obligations.controller.js';
import { EraseContents } from './retention/erase-contents.scheduled-job.js';
import { OrgRetentionController } from './retention/retention.controller.js';
import { ShareLink } from './sharing/share-link.entity.js';
import { OrgShareLinksController, ShareLinksController } from './sharing/share-links.controller.js';
import { ShareLinks } from './sharing/share-links.service.js';
import { SharedDocuments } from './sharing/shared-documents.service.js';
import { SharedController } from './sharing/shared.controller.js';
import { Accepting } from './signing/ceremony/accepting.service.js';
import { Declining } from './signing/ceremony/declining.service.js';
import { Delegating } from './signing/ceremony/delegating.service.js';
import { FacesController } from './signing/ceremony/faces.controller.js';
import { SignatureForm } from './signing/ceremony/signature-form.js';
import { EnteredValues } from './signing/ceremony/entered-values.service.js';
import { SealFailures } from './signing/ceremony/seal-failures.service.js';
import { SigningCodes } from './signing/ceremony/signing-codes.service.js';
import { SigningLinks } from './signing/ceremony/signing-links.service.js';
import { SigningController } from './signing/ceremony/signing.controller.js';
import { Signing } from './signing/ceremony/signing.service.js';
import { Copies } from './signing/copies/copies.service.js';
import { CopySettings } from './signing/copies/copy-settings.js';
import { Execution } from './signing/execution/execution.service.js';
import { LongTermSeal } from './signing/execution/long-term-seal.js';
import { CancelOpenParties } from './signing/parties/cancel-open-parties.js';
import { PartyChanges } from './signing/parties/changing.service.js';
import { FollowInvitations } from './signing/parties/follow-invitations.scheduled-job.js';
import { Invitations } from './signing/parties/invitations.service.js';
import { NotifyRevoked } from './signing/parties/notify-revoked.js';
import { OrgPartiesController } from './signing/parties/org-parties.controller.js';
import { OrgParties } from './signing/parties/org-parties.service.js';
import { RemindParties } from './signing/parties/remind-parties.scheduled-job.js';
import { SendingService } from './signing/parties/sending.service.js';
import { EmbeddedSigningController } from './signing/parties/signing-links.controller.js';
import { WarnDeadlines } from './signing/parties/warn-deadlines.scheduled-job.js';
import { Finalization } from './transitions/finalization.service.js';
import { Override } from './transitions/override.service.js';
import { Submission } from './transitions/submission.service.js';
import { Transitions } from './transitions/transitions.service.js';
import { PublicVerificationController, VerificationPageController } from './verification/verification.controller.js';
import { Verification } from './verification/verification.service.js';

/** What people do to a document. The README says what each folder is for. */
export const WORKFLOW = {
  entities: [ApprovalLink, ShareLink, Obligation],
  settings: [CopySettings],
  controllers: [
    ContentController,
    DocumentsController,
    DocumentCommentsController,
    OrgDocumentsController,
    ApprovalsController,
    OrgSubstitutesController,
    WorkflowController,
    OrgWorkflowController,
    ApprovalPageController,
    DocumentFileController,
    ImagesController,
    FurtherFilesController,
    OrgTypeFileController,
    OrgTypeFilesController,
    SigningController,
    FacesController,
    OrgPartiesController,
    OrgRetentionController,
    EmbeddedSigningController,
    SharedController,
    ShareLinksController,
    OrgShareLinksController,
    VerificationPageController,
    PublicVerificationController,
    ObligationsController,
    OrgObligationsController,
  ],
  providers: [
    DocumentMoves,
    Contents,
    ShownContents,
    Endings,
    Letterheads,
    DocumentsService,
    DocumentEditing,
    TokenValuesService,
    DocumentComments,
    DocumentContacts,
    Approvals,
    ApprovalMailer,
    ApprovalReminders,
    Approvers,
    PendingApprovals,
    Substitutes,
    SubstitutePeriods,
    Submissions,
    SubstituteRequests,
    WithdrawRequests,
    Submission,
    Decisions,
    Deciders,
    Settlements,
    ApprovalProgress,
    ApproverReleases,
    Transitions,
    Override,
    Reminders,
    WorkflowActions,
    Finalization,
    ApprovalPages,
    ApprovalPageActions,
    DocumentFiles,
    Images,
    PrintedContents,
    FurtherFiles,
    GivenFiles,
    TypeFiles,
    FilledFiles,
    FollowedMails,
    UndeliveredMails,
    SendingService,
    Signing,
    Accepting,
    SigningCodes,
    EnteredValues,
    SignatureForm,
    SigningLinks,
    Invitations,
    Execution,
    SealFailures,
    LongTermSeal,
    Declining,
    Delegating,
    PartyChanges,
    OrgParties,
    CancelOpenParties,
    NotifyRevoked,
    Copies,
    Verification,
    ShareLinks,
    SharedDocuments,
    ObligationsService,
    ObligationSeries,
    ObligationProposals,
  ],
  jobs: [AskSubstitutesOf],
  scheduledJobs: [
    EscalateApprovals,
    ReleaseApprovers,
    AskSubstitutes,
    EraseContents,
    CollectImages,
    ExpireDocuments,
    RemindValidity,
    FollowInvitations,
    FollowMails,
    RemindParties,
    WarnDeadlines,
    FollowObligations,
  ],
  retention: [{ table: 'document_files', column: 'removed_at', keepDays: RESTORABLE_DAYS, batch: 500 }],
} satisfies Partial<DomainModuleOptions>;
