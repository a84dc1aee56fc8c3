import { DomainModule, projectLookup, type DomainModuleOptions } from '../../kit/index.js';
import { LeadWebhookModule } from '../lead-webhook/lead-webhook.public.js';
import { DeskModule } from '../desk/desk.public.js';
import { TasksModule } from '../tasks/tasks.public.js';
import { AutoAnalyses } from './analysis/analyses/auto-analyses.js';
import { ANALYSIS } from './analysis/analysis.parts.js';
import { AUTOMATION } from './automation/automation.parts.js';
import { FormEvents } from './automation/forms/forms.events.js';
import { HandleInternalEvent } from './automation/handle-internal-event.job.js';
import { aiCreditsPage } from './console/ai-credits.page.js';
import { documentPage } from './console/document.page.js';
import { documentsPage } from './console/documents.page.js';
import { substitutesPage } from './console/substitutes.page.js';
import { triggerPage } from './console/trigger.page.js';
import { triggersPage } from './console/triggers.page.js';
import { DOCUMENTS_DEMO } from './demo/documents.demo.js';
import { DOCUMENT_TYPES_PAGE } from './documentation/document-types.page.js';
import { DOCUMENTS_GUIDE } from './documents.guide.js';
import { ENGINE } from './engine/engine.parts.js';
import { DocumentErrors } from './model/core/documents.errors.js';
import { ApprovalRequest } from './model/records/approval-request.entity.js';
import { ApprovalSubstitute } from './model/records/approval-substitute.entity.js';
import { AuditEntry } from './model/records/audit-entry.entity.js';
import { DocumentComment } from './model/records/document-comment.entity.js';
import { DocumentFile } from './model/records/document-file.entity.js';
import { DocumentCopy } from './model/records/document-copy.entity.js';
import { DocumentMail } from './model/records/document-mail.entity.js';
import { DocumentImage } from './model/records/document-image.entity.js';
import { DocumentSubmission } from './model/records/document-submission.entity.js';
import { Document } from './model/records/document.entity.js';
import { Rendition } from './model/records/rendition.entity.js';
import { SignatureParty } from './model/records/signature-party.entity.js';
import { SigningLinkRow } from './model/records/signing-link.entity.js';
import { DocumentTypeVersion } from './model/types/document-type-version.entity.js';
import { DocumentType } from './model/types/document-type.entity.js';
import { DocumentTypeFile } from './model/types/document-type-file.entity.js';
import { TypeVersions } from './model/types/type-versions.js';
import { DocumentLooks } from './settings/document-looks.service.js';
import { SETTINGS } from './settings/settings.parts.js';
import { TYPES } from './types/types.parts.js';
import { DocumentViews } from './views/document-views.js';
import { DocumentEvents } from './views/documents.events.js';
import { DocumentEditing } from './workflow/authoring/document-editing.service.js';
import { WithdrawRequests } from './workflow/approvals/withdraw-requests.js';
import { MOVE_HOOKS, type MoveHook } from './workflow/moves/move-hook.js';
import { ObligationSeries } from './workflow/obligations/obligation-series.js';
import { Copies } from './workflow/signing/copies/copies.service.js';
import { CancelOpenParties } from './workflow/signing/parties/cancel-open-parties.js';
import { NotifyRevoked } from './workflow/signing/parties/notify-revoked.js';
import { WORKFLOW } from './workflow/workflow.parts.js';
import { DOCUMENT_TRIGGERS } from './documents.triggers.js';
import { BULK_SENDS_PERSONAL_DATA } from './automation/bulk/bulk-sends.personal-data.js';
import { FORMS_PERSONAL_DATA } from './automation/forms/forms.personal-data.js';
import { DOCUMENTS_PERSONAL_DATA } from './workflow/retention/documents.personal-data.js';

/** What the wings share. Who takes part when a document changes its state stands here, as the hooks come from two wings. */
const FOUNDATION = {
  entities: [
    DocumentType,
    DocumentTypeVersion,
    Document,
    DocumentComment,
    AuditEntry,
    ApprovalRequest,
    Rendition,
    SignatureParty,
    SigningLinkRow,
    DocumentFile,
    DocumentTypeFile,
    DocumentCopy,
    DocumentMail,
    DocumentImage,
    DocumentSubmission,
    ApprovalSubstitute,
  ],
  providers: [
    TypeVersions,
    DocumentViews,
    {
      provide: MOVE_HOOKS,
      useFactory: (...hooks: MoveHook[]) => hooks,
      inject: [WithdrawRequests, CancelOpenParties, NotifyRevoked, Copies, ObligationSeries, AutoAnalyses],
    },
  ],
} satisfies Partial<DomainModuleOptions>;

/** The README draws the wings; lint holds in which direction they import each other. */
const PARTS: readonly Partial<DomainModuleOptions>[] = [FOUNDATION, SETTINGS, TYPES, ENGINE, WORKFLOW, AUTOMATION, ANALYSIS];

@DomainModule({
  name: 'documents',
  prefix: 'papers',
  title: 'Documents',
  guide: DOCUMENTS_GUIDE,
  agentWords: {
    search: {
      document_image: 'logo picture letterhead photo',
      document: 'nda contract agreement paper paperwork proposal quote quotation offer letter certificate lease licence form',
      submit_document: 'sign signature countersign signoff send approval boss say_yes go_ahead goes_out permission',
      signing_link: 'sign signature countersign',
      share_link: 'outsider read_only external share view without_account outside guest lawyer read let without_an_account copy',
      act_on_document:
        'approve reject decide signoff return okay withdraw revoke recall retract take_back pull_back send_back finalize ' +
        'finalise signer for_signature send_out sent_to both_parties final make_final',
      approval: 'approve reject decide signoff okay okayed ok waiting',
      obligation: 'delivered deadline due duty duties commitment fulfil',
      complete_obligation: 'done tick_off fulfilled',
      comment: 'note remark said say',
      risk: 'danger dangerous clause risky',
      summarize: 'summary overview short shorten sum_up recap gist digest brief condense main_point',
      remind: 'nudge chase reminder signed sign unsigned',
      document_file: 'pdf file download',
      document_content: 'text wording html clause read',
      file_field: 'signature box boxes position',
      bulk_send: 'many hundred mass recipient everybody people',
      get_document_file: 'give download',
      get_bulk_send: 'result signed status how_many',
      replace_document: 'amendment renewal renew successor amend',
      list_document: 'expire expiry run_out valid signed unsigned still yet already',
      document_type: 'template kind',
      report: 'statistic statistics',
      pending_approval: 'waiting open still',
      get_document: 'how_far',
      create_document: 'draft',
    },
    arguments: { deadline: ['due_before'] },
  },
  documentation: [DOCUMENT_TYPES_PAGE],
  scopes: {
    'papers:document:read': 'Read documents, their types, comments, pending decisions and zones, and projects',
    'papers:document:write': 'Create and submit documents, share and generate them, replace zones',
    'papers:ai:run': 'Summarize documents and analyze their risks, which costs credits',
    'papers:workflow:act': 'Approve, reject, return and move documents on behalf of a named approver',
    'papers:obligation:read': 'Read obligations',
    'papers:report:read': 'Read shared reports',
  },
  permissions: {
    'papers.document.view': { title: 'See documents, their comments, obligations and reports', roles: ['admin', 'member'] },
    'papers.document.manage': {
      title: 'Create, edit, submit, finalize, send, revoke, recall, supersede, comment on and share documents',
      roles: ['admin', 'member'],
    },
    'papers.document.approve': { title: 'Approve, reject and return documents', roles: ['admin', 'member'] },
    'papers.document.override': { title: 'Override the lifecycle of documents, and reopen them', roles: ['admin'] },
    'papers.setup.manage': { title: 'Set up document types, generation triggers, forms, reports and rule packs', roles: ['admin'] },
    'papers.ai.run': { title: 'Summarize documents and analyze their risks, which costs credits', roles: ['admin', 'member'] },
  },
  apiOnly: [
    {
      names: [['Document types', 'create_org_document_type']],
      text: 'fields, lifecycle, approval, numbering and layout of each kind of document',
    },
    {
      names: [['Forms', 'create_org_form']],
      text: 'public forms whose submissions become documents',
    },
    {
      names: [['Triggers', 'create_org_trigger']],
      text: 'which events generate documents; the console shows their runs',
    },
    {
      names: [
        ['Reports', 'create_org_report'],
        ['rule packs', 'create_org_rule_pack'],
      ],
      text: 'saved reports, and the rules that check documents',
    },
    {
      names: [
        ['Documents', 'create_org_document'],
        ['approvals', 'list_org_pending_approvals'],
      ],
      text: 'the work itself: create, submit, approve, send, share',
    },
  ],
  pages: [documentsPage, documentPage, triggersPage, triggerPage, aiCreditsPage, substitutesPage],
  scenarios: ['ai_execution_failed', 'approval_action_failed', 'insufficient_credits'],
  scopePermissions: { 'papers:workflow:act': 'papers.document.approve' },
  uses: [LeadWebhookModule, TasksModule, DeskModule],
  settings: PARTS.flatMap(({ settings = [] }) => settings),
  customFields: 'papers:document:read',
  entities: PARTS.flatMap(({ entities = [] }) => entities),
  personalData: [...DOCUMENTS_PERSONAL_DATA, ...BULK_SENDS_PERSONAL_DATA, ...FORMS_PERSONAL_DATA],
  controllers: [
    projectLookup('/api/v1/ext/papers/projects', 'list_documents_projects', {
      scope: 'papers:document:read',
      member: { permission: ['papers.document.manage', 'papers.document.approve'] },
    }),
    ...PARTS.flatMap(({ controllers = [] }) => controllers),
  ],
  providers: PARTS.flatMap(({ providers = [] }) => providers),
  jobs: PARTS.flatMap(({ jobs = [] }) => jobs),
  onInternalEvent: HandleInternalEvent,
  eventSubscriptions: { table: 'generation_triggers', where: 's.active' },
  scheduledJobs: PARTS.flatMap(({ scheduledJobs = [] }) => scheduledJobs),
  retention: PARTS.flatMap(({ retention = [] }) => retention),
  exports: [],
  errors: DocumentErrors,
  events: { ...DocumentEvents, ...FormEvents },
  triggers: DOCUMENT_TRIGGERS,
  restorable: [{ entity: Document, deletedBy: 'delete_document', shownBy: 'get_document', handler: DocumentEditing }],
  undoneBy: {
    delete_document_file: { operation: 'add_document_file', argument: 'removed_file_id' },
    revoke_org_document_share_link: { operation: 'create_document_share_link' },
  },
  demo: DOCUMENTS_DEMO,
  legalHolds: [{ entity: Document, where: 'legal_hold IS NOT NULL', title: 'documents' }],
  brand: DocumentLooks,
})
export class DocumentsModule {}
