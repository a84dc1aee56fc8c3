import type { DomainModuleOptions } from '../../../kit/index.js';
import { DocumentCommentsController } from './document-comments.controller.js';
import { DocumentComments } from './document-comments.service.js';
import { DocumentContacts } from './document-contacts.service.js';
import { DocumentEditing } from './document-editing.service.js';
import { DocumentsController } from './documents.controller.js';
import { DocumentsService } from './documents.service.js';
import { OrgDocumentsController } from './org-documents.controller.js';

/** `authoring/`: creates, lists and edits documents, with their comments, audit trail and the members to notify. */
export const AUTHORING = {
  controllers: [DocumentsController, DocumentCommentsController, OrgDocumentsController],
  providers: [DocumentsService, DocumentEditing, DocumentComments, DocumentContacts],
} satisfies Partial<DomainModuleOptions>;
