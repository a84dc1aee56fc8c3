import { DomainModule, projectLookup, type DomainModuleOptions } from '../../kit/index.js';
import { LeadWebhookModule } from '../lead-webhook/lead-webhook.public.js';
import { DeskModule } from '../desk/desk.public.js';
import { TasksModule } from '../tasks/tasks.public.js';
import { AI } from './ai/ai.parts.js';
import { AutoAnalyses } from './ai/analyses/auto-analyses.js';
import { APPROVALS } from './approvals/approvals.parts.js';
import { WithdrawRequests } from './approvals/withdraw-requests.js';
import { AUTHORING } from './authoring/authoring.parts.js';
import { BULK } from './bulk/bulk.parts.js';
import { APPROVAL_PAGE } from './approval-page/approval-page.parts.js';
import { aiCreditsPage } from './console/ai-credits.page.js';
import { triggerPage } from './console/trigger.page.js';
import { triggersPage } from './console/triggers.page.js';
import { DOCUMENT_TYPES_PAGE } from './documentation/document-types.page.js';
import { DOCUMENTS_GUIDE } from './documents.guide.js';
import { EXPIRY } from './expiry/expiry.parts.js';
import { FILES } from './files/files.parts.js';
import { FormEvents } from './generation/forms/forms.events.js';
import { GENERATION } from './generation/generation.parts.js';
import { HandleInternalEvent } from './generation/handle-internal-event.job.js';
import { DocumentErrors } from './model/core/documents.errors.js';
import { ApprovalRequest } from './model/records/approval-request.entity.js';
import { AuditEntry } from './model/records/audit-entry.entity.js';
import { DocumentComment } from './model/records/document-comment.entity.js';
import { Document } from './model/records/document.entity.js';
import { Rendition } from './model/records/rendition.entity.js';
import { SignatureParty } from './model/records/signature-party.entity.js';
import { DocumentFile } from './model/records/document-file.entity.js';
import { SigningLinkRow } from './model/records/signing-link.entity.js';
import { DocumentTypeVersion } from './model/types/document-type-version.entity.js';
import { DocumentType } from './model/types/document-type.entity.js';
import { TypeVersions } from './model/types/type-versions.js';
import { DocumentMoves } from './moves/document-moves.js';
import { MOVE_HOOKS, type MoveHook } from './moves/move-hook.js';
import { ObligationSeries } from './obligations/obligation-series.js';
import { OBLIGATIONS } from './obligations/obligations.parts.js';
import { RENDERING } from './rendering/rendering.parts.js';
import { REPORTS } from './reports/reports.parts.js';
import { SETTINGS } from './settings/settings.parts.js';
import { SHARING } from './sharing/sharing.parts.js';
import { CancelOpenParties } from './signing/parties/cancel-open-parties.js';
import { NotifyRevoked } from './signing/parties/notify-revoked.js';
import { SIGNING } from './signing/signing.parts.js';
import { TYPES } from './types/types.parts.js';
import { DocumentViews } from './views/document-views.js';
import { DocumentEvents } from './views/documents.events.js';
import { WORKFLOW } from './workflow/workflow.parts.js';
import { DOCUMENTS_DEMO } from './demo/documents.demo.js';

/**
 * The folders that everything else builds on. A folder imports only folders below it; lint holds that.
 * - `model/core/`: errors, states, lifecycle and values. `types/`: what a type defines. `records/`: the tables that several
 *   folders read. `rules/`: what follows from the current content of a document.
 * - `views/`: documents as the API and events show them.
 * - `moves/`: the one place that changes a document's state. Other folders take part by a `MoveHook`.
 * - `pages/` (no providers): the HTML of public pages, and the tokens in their addresses.
 */
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
  ],
  providers: [
    TypeVersions,
    DocumentViews,
    DocumentMoves,
    {
      provide: MOVE_HOOKS,
      useFactory: (...hooks: MoveHook[]) => hooks,
      inject: [WithdrawRequests, CancelOpenParties, NotifyRevoked, ObligationSeries, AutoAnalyses],
    },
  ],
} satisfies Partial<DomainModuleOptions>;

/** The providers of each folder. Its `.parts.ts` says what the folder is for. */
const PARTS: readonly Partial<DomainModuleOptions>[] = [
  FOUNDATION,
  SETTINGS,
  TYPES,
  AUTHORING,
  APPROVALS,
  WORKFLOW,
  APPROVAL_PAGE,
  BULK,
  FILES,
  EXPIRY,
  RENDERING,
  SIGNING,
  SHARING,
  OBLIGATIONS,
  AI,
  GENERATION,
  REPORTS,
];

@DomainModule({
  name: 'documents',
  prefix: 'papers',
  title: 'Documents',
  guide: DOCUMENTS_GUIDE,
  agentWords: {
    search: {
      document: 'nda contract agreement paper paperwork proposal file sign signature countersign',
      submit: 'sign signature countersign',
      act: 'approve reject decide signoff',
      approval: 'approve reject decide signoff',
      obligation: 'deadline due duty',
      risk: 'danger',
    },
    arguments: { due_date: ['due_on'], deadline: ['due_on', 'due_before'] },
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
  pages: [triggersPage, triggerPage, aiCreditsPage],
  scenarios: ['ai_execution_failed', 'approval_action_failed', 'insufficient_credits'],
  scopePermissions: { 'papers:workflow:act': 'papers.document.approve' },
  uses: [LeadWebhookModule, TasksModule, DeskModule],
  settings: PARTS.flatMap(({ settings = [] }) => settings),
  entities: PARTS.flatMap(({ entities = [] }) => entities),
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
  demo: DOCUMENTS_DEMO,
})
export class DocumentsModule {}
