import { DomainModule } from '../../kit/index.js';
import { TasksModule } from '../tasks/tasks.public.js';
import { LeadWebhookModule } from '../lead-webhook/lead-webhook.public.js';
import { AiAnalysis } from './ai/ai-analysis.entity.js';
import { AiController } from './ai/ai.controller.js';
import { AiCreditAccount } from './ai/ai-credit-account.entity.js';
import { AiCreditEntry } from './ai/ai-credit-entry.entity.js';
import { AiCredits } from './ai/ai-credits.service.js';
import { AiProviders } from './ai/ai-providers.js';
import { AiRun } from './ai/ai-run.entity.js';
import { AiUpkeep } from './ai/ai-upkeep.sweep.js';
import { AnalyseDocument } from './ai/analyse-document.job.js';
import { Analyses } from './ai/analyses.service.js';
import { AnalysisSubjects } from './ai/analysis-subjects.js';
import { AutoAnalyses } from './ai/auto-analyses.js';
import { CheckRulePack } from './ai/check-rule-pack.job.js';
import { DocumentTexts } from './ai/document-text.js';
import { OrgAiCreditsController } from './ai/org-ai-credits.controller.js';
import { OrgRulePacksController } from './ai/org-rule-packs.controller.js';
import { RegulatoryCheck } from './ai/regulatory-check.entity.js';
import { RegulatoryDrift } from './ai/regulatory-drift.js';
import { RegulatoryDriftSweep } from './ai/regulatory-drift.sweep.js';
import { RegulatoryFinding } from './ai/regulatory-finding.entity.js';
import { RegulatoryRulePack } from './ai/regulatory-rule-pack.entity.js';
import { RulePacks } from './ai/rule-packs.service.js';
import { DocumentErrors } from './documents.errors.js';
import { DocumentEvents } from './documents.events.js';
import { DOCUMENTS_GUIDE } from './documents.guide.js';
import { AuditEntry } from './documents/audit-entry.entity.js';
import { DocumentComment } from './documents/document-comment.entity.js';
import { DocumentCommentsController } from './documents/document-comments.controller.js';
import { DocumentComments } from './documents/document-comments.service.js';
import { DocumentContacts } from './documents/document-contacts.service.js';
import { DocumentEditing } from './documents/document-editing.service.js';
import { DocumentViews } from './documents/document-views.js';
import { Document } from './documents/document.entity.js';
import { DocumentsController } from './documents/documents.controller.js';
import { DocumentsService } from './documents/documents.service.js';
import { OrgDocumentsController } from './documents/org-documents.controller.js';
import { BridgeTargets } from './generation/bridge-targets.js';
import { BridgesService } from './generation/bridges.service.js';
import { FormPageController } from './generation/form-page.controller.js';
import { FormSubmission } from './generation/form-submission.entity.js';
import { FormVisits } from './generation/form-visits.service.js';
import { FormsService } from './generation/forms.service.js';
import { GenerateController, OrgGenerationsController } from './generation/generate.controller.js';
import { Generate } from './generation/generate.service.js';
import { GenerationRuns } from './generation/generation-runs.js';
import { GenerationTrigger } from './generation/generation-trigger.entity.js';
import { HearInternalEvent } from './generation/hear-internal-event.job.js';
import { IntakeBridge } from './generation/intake-bridge.entity.js';
import { IntakeForm } from './generation/intake-form.entity.js';
import { OrgFormsController } from './generation/org-forms.controller.js';
import { OrgTriggersController } from './generation/org-triggers.controller.js';
import { RunBridge } from './generation/run-bridge.job.js';
import { RunTrigger } from './generation/run-trigger.job.js';
import { TriggersService } from './generation/triggers.service.js';
import { FollowObligations } from './obligations/follow-obligations.sweep.js';
import { ObligationSeries } from './obligations/obligation-series.js';
import { Obligation } from './obligations/obligation.entity.js';
import { ObligationsController } from './obligations/obligations.controller.js';
import { ObligationsService } from './obligations/obligations.service.js';
import { OrgObligationsController } from './obligations/org-obligations.controller.js';
import { RemindValidity } from './obligations/remind-validity.sweep.js';
import { ContentController, OrgContentController } from './rendering/content.controller.js';
import { Contents } from './rendering/contents.service.js';
import { Finalization } from './rendering/finalization.service.js';
import { PdfTypesetter } from './rendering/pdf-typesetter.js';
import { Rendition } from './rendering/rendition.entity.js';
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
import { Declining } from './signing/declining.service.js';
import { Execution } from './signing/execution.service.js';
import { FollowInvitations } from './signing/follow-invitations.sweep.js';
import { Invitations } from './signing/invitations.service.js';
import { OrgPartiesController } from './signing/org-parties.controller.js';
import { OrgParties } from './signing/org-parties.service.js';
import { SendingService } from './signing/sending.service.js';
import { SignatureParty } from './signing/signature-party.entity.js';
import { SigningLinks } from './signing/signing-links.service.js';
import { SigningController } from './signing/signing.controller.js';
import { Signing } from './signing/signing.service.js';
import { DocumentTypeVersion } from './types/document-type-version.entity.js';
import { DocumentTypeZones } from './types/document-type-zones.entity.js';
import { DocumentType } from './types/document-type.entity.js';
import { DocumentTypesController } from './types/document-types.controller.js';
import { DocumentTypesService } from './types/document-types.service.js';
import { OrgDocumentTypesController } from './types/org-document-types.controller.js';
import { TypeVersions } from './types/type-versions.js';
import { OrgZonesController, ZonesController } from './types/zones.controller.js';
import { Zones } from './types/zones.service.js';
import { ApprovalRequest } from './workflow/approval-request.entity.js';
import { ApprovalsController, OrgApprovalsController } from './workflow/approvals.controller.js';
import { Approvals } from './workflow/approvals.service.js';
import { Approvers } from './workflow/approvers.service.js';
import { Decisions } from './workflow/decisions.service.js';
import { DocumentMoves } from './workflow/document-moves.js';
import { EscalateApprovals } from './workflow/escalate-approvals.sweep.js';
import { ExpireDocuments } from './workflow/expire-documents.sweep.js';
import { OrgWorkflowController } from './workflow/org-workflow.controller.js';
import { Override } from './workflow/override.service.js';
import { PendingApprovals } from './workflow/pending-approvals.service.js';
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
