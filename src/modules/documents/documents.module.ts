import { DomainModule } from '../../kit/index.js';
import { TasksModule } from '../tasks/tasks.public.js';
import { LeadWebhookModule } from '../lead-webhook/lead-webhook.public.js';
import { AiAnalysis } from './ai/analyses/ai-analysis.entity.js';
import { AiController } from './ai/analyses/ai.controller.js';
import { AiCreditAccount } from './ai/credits/ai-credit-account.entity.js';
import { AiCreditEntry } from './ai/credits/ai-credit-entry.entity.js';
import { AiCredits } from './ai/credits/ai-credits.service.js';
import { AiProviders } from './ai/analyses/ai-providers.js';
import { AiRun } from './ai/credits/ai-run.entity.js';
import { AiUpkeep } from './ai/credits/ai-upkeep.sweep.js';
import { AnalyseDocument } from './ai/analyses/analyze-document.job.js';
import { Analyses } from './ai/analyses/analyses.service.js';
import { AnalysisSubjects } from './ai/analyses/analysis-subjects.js';
import { AutoAnalyses } from './ai/analyses/auto-analyses.js';
import { CheckRulePack } from './ai/drift/check-rule-pack.job.js';
import { DocumentTexts } from './ai/analyses/document-text.js';
import { OrgAiCreditsController } from './ai/credits/org-ai-credits.controller.js';
import { OrgRulePacksController } from './ai/drift/org-rule-packs.controller.js';
import { RegulatoryCheck } from './ai/drift/regulatory-check.entity.js';
import { RegulatoryDrift } from './ai/drift/regulatory-drift.js';
import { RegulatoryDriftSweep } from './ai/drift/regulatory-drift.sweep.js';
import { RegulatoryFinding } from './ai/drift/regulatory-finding.entity.js';
import { RegulatoryRulePack } from './ai/drift/regulatory-rule-pack.entity.js';
import { RulePacks } from './ai/drift/rule-packs.service.js';
import { DocumentErrors } from './model/documents.errors.js';
import { DocumentEvents } from './views/documents.events.js';
import { DOCUMENTS_GUIDE } from './documents.guide.js';
import { AuditEntry } from './model/records/audit-entry.entity.js';
import { DocumentComment } from './model/records/document-comment.entity.js';
import { DocumentCommentsController } from './authoring/document-comments.controller.js';
import { DocumentComments } from './authoring/document-comments.service.js';
import { DocumentContacts } from './authoring/document-contacts.service.js';
import { DocumentEditing } from './authoring/document-editing.service.js';
import { DocumentViews } from './views/document-views.js';
import { Document } from './model/records/document.entity.js';
import { DocumentsController } from './authoring/documents.controller.js';
import { DocumentsService } from './authoring/documents.service.js';
import { OrgDocumentsController } from './authoring/org-documents.controller.js';
import { BridgeTargets } from './generation/bridges/bridge-targets.js';
import { BridgesService } from './generation/bridges/bridges.service.js';
import { FormPageController } from './generation/forms/form-page.controller.js';
import { FormSubmission } from './generation/forms/form-submission.entity.js';
import { FormVisits } from './generation/forms/form-visits.service.js';
import { FormsService } from './generation/forms/forms.service.js';
import { GenerateController, OrgGenerationsController } from './generation/triggers/generate.controller.js';
import { Generate } from './generation/triggers/generate.service.js';
import { GenerationRuns } from './generation/triggers/generation-runs.js';
import { GenerationTrigger } from './generation/triggers/generation-trigger.entity.js';
import { HearInternalEvent } from './generation/handle-internal-event.job.js';
import { IntakeBridge } from './generation/bridges/intake-bridge.entity.js';
import { IntakeForm } from './generation/forms/intake-form.entity.js';
import { OrgFormsController } from './generation/forms/org-forms.controller.js';
import { OrgTriggersController } from './generation/triggers/org-triggers.controller.js';
import { RunBridge } from './generation/bridges/run-bridge.job.js';
import { RunTrigger } from './generation/triggers/run-trigger.job.js';
import { TriggersService } from './generation/triggers/triggers.service.js';
import { FollowObligations } from './obligations/follow-obligations.sweep.js';
import { ObligationSeries } from './obligations/obligation-series.js';
import { Obligation } from './obligations/obligation.entity.js';
import { ObligationsController } from './obligations/obligations.controller.js';
import { ObligationsService } from './obligations/obligations.service.js';
import { OrgObligationsController } from './obligations/org-obligations.controller.js';
import { RemindValidity } from './expiry/remind-validity.sweep.js';
import { ContentController, OrgContentController } from './rendering/content.controller.js';
import { Contents } from './rendering/contents.service.js';
import { Finalization } from './workflow/finalization.service.js';
import { PdfTypesetter } from './rendering/typesetting/pdf-typesetter.js';
import { Rendition } from './model/records/rendition.entity.js';
import { OrgReportsController } from './reports/org-reports.controller.js';
import { ReportData } from './reports/report-data.service.js';
import { ReportFields } from './reports/report-fields.service.js';
import { Report } from './reports/report.entity.js';
import { ReportsController } from './reports/reports.controller.js';
import { Reports } from './reports/reports.service.js';
import { ShareLink } from './sharing/share-link.entity.js';
import { OrgShareLinksController, ShareLinksController } from './sharing/share-links.controller.js';
import { ShareLinks } from './sharing/share-links.service.js';
import { SharedController } from './sharing/shared.controller.js';
import { SharedDocuments } from './sharing/shared-documents.service.js';
import { Declining } from './signing/ceremony/declining.service.js';
import { Execution } from './signing/execution/execution.service.js';
import { FollowInvitations } from './signing/parties/follow-invitations.sweep.js';
import { Invitations } from './signing/parties/invitations.service.js';
import { OrgPartiesController } from './signing/parties/org-parties.controller.js';
import { OrgParties } from './signing/parties/org-parties.service.js';
import { SendingService } from './signing/parties/sending.service.js';
import { SignatureParty } from './model/records/signature-party.entity.js';
import { SigningLinks } from './signing/ceremony/signing-links.service.js';
import { SigningController } from './signing/ceremony/signing.controller.js';
import { Signing } from './signing/ceremony/signing.service.js';
import { DocumentTypeVersion } from './model/types/document-type-version.entity.js';
import { DocumentTypeZones } from './types/zones/document-type-zones.entity.js';
import { DocumentType } from './model/types/document-type.entity.js';
import { DocumentTypesController } from './types/document-types.controller.js';
import { DocumentTypesService } from './types/document-types.service.js';
import { OrgDocumentTypesController } from './types/org-document-types.controller.js';
import { TypeVersions } from './model/types/type-versions.js';
import { OrgZonesController, ZonesController } from './types/zones/zones.controller.js';
import { Zones } from './types/zones/zones.service.js';
import { ApprovalRequest } from './model/records/approval-request.entity.js';
import { ApprovalsController, OrgApprovalsController } from './approvals/approvals.controller.js';
import { Approvals } from './approvals/approvals.service.js';
import { Approvers } from './approvals/approvers.service.js';
import { Decisions } from './workflow/decisions.service.js';
import { DocumentMoves } from './moves/document-moves.js';
import { EscalateApprovals } from './workflow/escalate-approvals.sweep.js';
import { ExpireDocuments } from './expiry/expire-documents.sweep.js';
import { OrgWorkflowController } from './workflow/org-workflow.controller.js';
import { Override } from './workflow/override.service.js';
import { PendingApprovals } from './approvals/pending-approvals.service.js';
import { Submission } from './workflow/submission.service.js';
import { Transitions } from './workflow/transitions.service.js';
import { WorkflowActions } from './workflow/workflow-actions.service.js';
import { WorkflowController } from './workflow/workflow.controller.js';

@DomainModule({
  name: 'documents',
  prefix: 'papers',
  title: 'Documents',
  guide: DOCUMENTS_GUIDE,
  scopes: {
    'papers:document:read': 'Read documents, their types, comments, pending decisions and zones',
    'papers:document:write': 'Create and submit documents, share and generate them, replace zones',
    'papers:ai:run': 'Summarize documents and find their risks, which costs credits',
    'papers:workflow:act': 'Approve, reject, return and move documents in the name of a named approver',
    'papers:obligation:read': 'Read obligations',
    'papers:report:read': 'Read shared reports',
  },
  imports: [LeadWebhookModule, TasksModule],
  entities: [
    DocumentType,
    DocumentTypeVersion,
    DocumentTypeZones,
    Document,
    DocumentComment,
    AuditEntry,
    ApprovalRequest,
    Rendition,
    SignatureParty,
    ShareLink,
    Obligation,
    AiAnalysis,
    AiRun,
    AiCreditAccount,
    AiCreditEntry,
    RegulatoryRulePack,
    RegulatoryFinding,
    RegulatoryCheck,
    GenerationTrigger,
    Report,
    IntakeForm,
    FormSubmission,
    IntakeBridge,
  ],
  controllers: [
    DocumentTypesController,
    OrgDocumentTypesController,
    ZonesController,
    OrgZonesController,
    DocumentsController,
    DocumentCommentsController,
    OrgDocumentsController,
    WorkflowController,
    ApprovalsController,
    OrgWorkflowController,
    OrgApprovalsController,
    ContentController,
    OrgContentController,
    SigningController,
    OrgPartiesController,
    SharedController,
    ShareLinksController,
    OrgShareLinksController,
    ObligationsController,
    OrgObligationsController,
    AiController,
    OrgAiCreditsController,
    OrgRulePacksController,
    GenerateController,
    OrgGenerationsController,
    OrgTriggersController,
    ReportsController,
    OrgReportsController,
    OrgFormsController,
    FormPageController,
  ],
  providers: [
    DocumentTypesService,
    TypeVersions,
    Zones,
    DocumentsService,
    DocumentEditing,
    DocumentComments,
    DocumentContacts,
    DocumentViews,
    DocumentMoves,
    Submission,
    Approvals,
    Approvers,
    Decisions,
    Transitions,
    Override,
    WorkflowActions,
    PendingApprovals,
    Finalization,
    Contents,
    PdfTypesetter,
    SendingService,
    Signing,
    SigningLinks,
    Invitations,
    Execution,
    Declining,
    OrgParties,
    ShareLinks,
    SharedDocuments,
    ObligationsService,
    ObligationSeries,
    Analyses,
    AnalysisSubjects,
    AutoAnalyses,
    AiCredits,
    AiProviders,
    DocumentTexts,
    RulePacks,
    RegulatoryDrift,
    TriggersService,
    GenerationRuns,
    Generate,
    Reports,
    ReportData,
    ReportFields,
    FormsService,
    FormVisits,
    BridgesService,
    BridgeTargets,
  ],
  jobs: [AnalyseDocument, CheckRulePack, RunTrigger, RunBridge],
  onInternalEvent: HearInternalEvent,
  sweeps: [AiUpkeep, RegulatoryDriftSweep, ExpireDocuments, EscalateApprovals, FollowInvitations, FollowObligations, RemindValidity],
  exports: [],
  errors: DocumentErrors,
  events: DocumentEvents,
})
export class DocumentsModule {}
