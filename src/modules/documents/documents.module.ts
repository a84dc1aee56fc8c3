import { DomainModule } from '../../kit/index.js';
import { DocumentErrors } from './documents.errors.js';
import { DocumentEvents } from './documents.events.js';
import { DOCUMENTS_GUIDE } from './documents.guide.js';
import { AuditEntry } from './documents/audit-entry.entity.js';
import { DocumentComment } from './documents/document-comment.entity.js';
import { DocumentViews } from './documents/document-views.js';
import { Document } from './documents/document.entity.js';
import { DocumentsController } from './documents/documents.controller.js';
import { DocumentsService } from './documents/documents.service.js';
import { Rendition } from './rendering/rendition.entity.js';
import { SignatureParty } from './signing/signature-party.entity.js';
import { DocumentTypeVersion } from './types/document-type-version.entity.js';
import { DocumentType } from './types/document-type.entity.js';
import { TypeVersions } from './types/type-versions.js';
import { ApprovalRequest } from './workflow/approval-request.entity.js';
import { DocumentMoves } from './workflow/document-moves.js';

@DomainModule({
  name: 'documents',
  prefix: 'papers',
  title: 'Documents',
  guide: DOCUMENTS_GUIDE,
  scopes: {
    'papers:document:read': 'Read documents, their types, comments, pending decisions and zones',
    'papers:document:write': 'Create and submit documents, share and generate them, replace zones',
  },
  entities: [
    DocumentType, DocumentTypeVersion,
    Document, DocumentComment, AuditEntry,
    ApprovalRequest,
    Rendition,
    SignatureParty,
  ],
  controllers: [
    DocumentsController,
  ],
  providers: [
    TypeVersions,
    DocumentsService, DocumentViews,
    DocumentMoves,
  ],
  exports: [],
  errors: DocumentErrors,
  events: DocumentEvents,
})
export class DocumentsModule {}
